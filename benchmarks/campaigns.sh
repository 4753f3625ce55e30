#!/usr/bin/env bash
# All campaigns of docs/results.md, cheapest first. Stop it at any time; started again, it goes on where it was.
#   DATA=DIR [PYTHON=.venv-bench/bin/python] [VIZIER=.venv-vizier/bin/python] [OUT=results] [JOBS=2] benchmarks/campaigns.sh
set -uo pipefail
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-.venv-bench/bin/python}
VIZIER=${VIZIER:-.venv-vizier/bin/python}
OUT=${OUT:-results}
JOBS=${JOBS:-2}
JAX_COMPILATION_CACHE_DIR=${JAX_COMPILATION_CACHE_DIR:-$(realpath -m "$OUT")/.jax} # Vizier compiles anew for every n
export JAX_COMPILATION_CACHE_DIR JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0
OTHERS="qkg-paper ei pi ucb kg qlogei qlognei qei-exact constant-liar kriging-believer pes ppes thompson"
OTHERS="$OTHERS nested-kg random sobol"
AS_THERE="qei+mle mc-ei+mle gp-bucb+mle gp-ucb-pe+mle" # the rivals as the paper fits them

paper() {
    echo "== $*"
    "$PYTHON" -m benchmarks.paper "$@" --jobs "$JOBS" --out "$OUT" || echo "some runs failed: see above"
}

for experiment in noise-free noisy; do
    paper "$experiment" --runs 20                                          # q-KG and the paper's four rivals
    paper "$experiment" --runs 10 --methods --peers optuna-gp optuna-tpe botorch-qlognei botorch-qlogei ax skopt
done
paper speedup --runs 20
paper unsaid --runs 10
paper unsaid --runs 5 --methods --peers optuna-gp
for experiment in noise-free noisy; do
    # shellcheck disable=SC2086
    paper "$experiment" --runs 5 --methods $OTHERS
    paper "$experiment" --runs 5 --methods --peers hebo smac               # slow
    # shellcheck disable=SC2086
    paper "$experiment" --runs 20 --methods pes $AS_THERE
done
# shellcheck disable=SC2086
paper noisy --runs 30 --problems branin rosenbrock3 --methods qkg qei mc-ei gp-bucb gp-ucb-pe $AS_THERE
# shellcheck disable=SC2086
paper noisy --runs 40 --problems hartmann6 --methods qkg qei mc-ei gp-bucb gp-ucb-pe $AS_THERE
paper noisy --runs 20 --problems branin --methods kg pi                    # ahead of q-KG over five starts
paper noisy --runs 20 --problems rosenbrock3 --methods ppes
paper noisy --runs 10 --problems rosenbrock3 --methods nested-kg
paper noise-free --runs 20 --methods qlognei
for experiment in beyond beyond-noisy unseen unseen-noisy idle idle-noisy; do
    paper "$experiment" --runs 5 --peers optuna-gp optuna-tpe
done
paper multiplicative --runs 8 --peers optuna-gp optuna-tpe
paper heavy --runs 8 --peers optuna-gp optuna-tpe
paper logreg --runs 5 --data "${DATA:?the folder with mnist/ and cifar10/}" --peers optuna-gp
paper logreg-noisy --runs 5 --data "$DATA" --peers optuna-gp
paper cnn --runs 3 --data "$DATA" --scale small --methods qkg qei --peers optuna-gp
for experiment in noise-free noisy; do                                     # slowest: minutes a batch
    paper "$experiment" --runs 3 --problems branin hartmann6 --methods --peers botorch-qkg vizier --python vizier="$VIZIER"
    paper "$experiment" --runs 5 --methods --peers vizier --python vizier="$VIZIER"
done
"$PYTHON" -m benchmarks.report "$OUT"
