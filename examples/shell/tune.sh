#!/bin/sh
# Tune a program from the shell: options in, the last number it prints out.
set -eu
cd "$(dirname "$0")"
: "${KNOWGRAD_STORAGE:=tuning.db}"
export KNOWGRAD_STORAGE
knowgrad run space.toml --trials 16 --workers 2 -- python train.py --rate={rate} --layers={layers} --kind={kind}
knowgrad recommend
