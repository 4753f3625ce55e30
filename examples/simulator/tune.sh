#!/bin/sh
# A simulator that crashes, hangs and is interrupted: each costs a trial at most, and nothing is left running.
set -eu
cd "$(dirname "$0")"
: "${KNOWGRAD_STORAGE:=tuning.db}"
export KNOWGRAD_STORAGE
tune() {
    exec knowgrad run space.toml --trials 16 --workers 2 --trial-timeout 4 --result 'drag: {value}' \
        -- python "$1" {flow} {angle}
}

# A mistyped name: the run stops, says why, and records nothing.
(tune simulator.py) || echo "exit code $?: nothing was recorded"

# Ended in the middle, as by Ctrl-C: what is running is ended, and its points are given back.
tune simulate.py &
until knowgrad status 2>/dev/null | grep -q complete; do sleep 0.2; done
kill -TERM $!
wait $! || echo "exit code $?: interrupted"
knowgrad status

# The same command again goes on where the study stands.
(tune simulate.py)
knowgrad status
