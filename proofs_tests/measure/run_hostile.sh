#!/usr/bin/env bash
# run_hostile.sh BUILD [-s SEED] [-n INPUTS] [-j JOBS]: damaged files of each kind that Halyard reads are judged or refused.
#
# What the suite hostile_input does with 36 files of each kind and seed 1, with INPUTS (5000) and SEED (2), in the build
# BUILD: best one with -DHALYARD_SANITIZE=address. Each input may take a second of processor time (three where the machine
# is shared, twelve under sanitizers) and 256 MB (not under sanitizers). Prints "N passed, N failed"; what fails lies in /tmp.
set -u
build=$(realpath "${1:?usage: run_hostile.sh BUILD [-s SEED] [-n INPUTS] [-j JOBS]}") || exit 2
shift
seed=2 inputs=5000 jobs=$(nproc)
while getopts s:n:j: option; do
  case $option in
  s) seed=$OPTARG ;; n) inputs=$OPTARG ;; j) jobs=$OPTARG ;;
  *) exit 2 ;;
  esac
done
echo "seed $seed, $inputs inputs of each kind"
HALYARD_HOSTILE_SEED=$seed HALYARD_HOSTILE_INPUTS=$inputs "$build/halyard_tests" -j "$jobs" =hostile_input
