#!/usr/bin/env bash
# One campaign of one version: everything that docs/results.md and docs/paper.md show. What tells most for its hours comes
# first. Stop it at any time: started again, here or elsewhere, it goes on where it was (benchmarks/README.md).
#   DATA=DIR [FOLDER=benchmarks/kept/next] [PARTS="1 2 3 4 5 6"] [PYTHON=…] [VIZIER=…] [OUT=results] [JOBS=2] benchmarks/campaigns.sh
set -uo pipefail
cd "$(dirname "$0")/.."
DATA=${DATA:?the folder with the data of lab, logreg and cnn}
FOLDER=${FOLDER:-benchmarks/kept/next}
PARTS=${PARTS:-1 2 3 4 5 6}
PYTHON=${PYTHON:-.venv-bench/bin/python}
VIZIER=${VIZIER:-.venv-vizier/bin/python}
OUT=${OUT:-results}
JOBS=${JOBS:-2}
JAX_COMPILATION_CACHE_DIR=${JAX_COMPILATION_CACHE_DIR:-$(realpath -m "$OUT")/.jax} # Vizier compiles anew for every n
export JAX_COMPILATION_CACHE_DIR JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0
FUNCTIONS="beyond beyond-noisy unseen unseen-noisy idle idle-noisy unsaid multiplicative heavy"

paper() {
    echo "== $*"
    "$PYTHON" -m benchmarks.paper "$@" --jobs "$JOBS" --out "$OUT" --data "$DATA" --campaign "$FOLDER" \
        || echo "not all was done: see above"
}

part_1() { # q-KG beside Optuna, on everything that is quick: the table of the README. 2 hours on two cores
    paper noise-free --runs 20 --peers optuna-gp optuna-tpe                # and the paper's four rivals
    paper noisy --runs 20 --peers optuna-gp optuna-tpe
    paper lab --runs 20 --peers optuna-gp optuna-tpe
    for experiment in $FUNCTIONS; do
        paper "$experiment" --runs 10 --peers optuna-gp optuna-tpe
    done
}
part_2() { # the paper's figures with the paper's number of starts, on equal terms. 2.5 hours
    paper terms --runs 100
    paper terms --runs 20 --methods qkg-paper
    paper speedup --runs 100
}
part_3() { # peers of which a run takes less than a minute. 4.5 hours
    for experiment in noisy noise-free; do
        paper "$experiment" --runs 20 --methods --peers botorch-qlogei botorch-qlognei ax hebo skopt
    done
}
part_4() { # a minute and more; and the paper's classifier. 8 hours, of which trainings take 7
    paper noisy --runs 10 --methods --peers smac
    paper noise-free --runs 10 --methods --peers smac
    paper logreg-noisy --runs 20
    paper logreg --runs 20
    paper cnn --runs 5 --scale small
}
part_5() { # minutes a batch. 4 hours
    for experiment in noisy noise-free; do
        paper "$experiment" --runs 5 --problems branin hartmann6 --methods --peers botorch-qkg vizier --python vizier="$VIZIER"
    done
}
part_6() { # our other methods. 1 hour
    for experiment in noisy noise-free; do
        paper "$experiment" --runs 10 --methods qkg-paper kg ei pi ucb pes ppes thompson nested-kg random sobol
    done
}

for part in $PARTS; do
    "part_$part"
    "$PYTHON" -m benchmarks.report "$OUT" --campaign "$FOLDER" || exit 1
done
