#!/usr/bin/env bash
# Everything that needs a GPU, on a machine that has one: driver check, smoke, tests, the samples, bench.
# Usage: tests/run_on_gpu.sh [RESULT.md]    Writes what it saw to gpu-results/gpu.md, or to RESULT.md.
# Exit code: 0 all passed, 1 something failed, 3 there is no CUDA device.
set -uo pipefail
cd "$(dirname "$0")/.."
result=${1:-gpu-results/gpu.md}
mkdir -p "$(dirname "$result")"
failed=0

section() { printf '\n## %s\n\n```\n' "$1" | tee -a "$result"; }
finish() { printf '```\n' | tee -a "$result"; }
step() {  # step TITLE COMMAND...: run it, keep its output and its exit code
    section "$1"
    shift
    "$@" 2>&1 | tee -a "$result"
    local code=${PIPESTATUS[0]}
    finish
    printf '\nexit code %s\n' "$code" | tee -a "$result"
    [ "$code" -eq 0 ] || failed=1
}

printf '# GPU run of warpsmith at %s\n' "$(git describe --always --dirty 2>/dev/null || echo 'no git')" | tee "$result"
make --silent .venv/.ready || exit 1

section "driver"
if command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv 2>&1 | tee -a "$result"
else
    echo "no nvidia-smi on this machine" | tee -a "$result"
fi
finish

if .venv/bin/warpsmith-gpu smoke | grep -q "CUDA not available"; then
    echo "CUDA not available -> skipped: Warp sees no device; check the driver with nvidia-smi" | tee -a "$result"
    exit 3
fi

step "smoke" .venv/bin/warpsmith-gpu smoke
step "tests" .venv/bin/nox -s tests-gpu
step "samples, compared with the CPU" .venv/bin/warpsmith-gpu run data/samples --again
step "times on the device" .venv/bin/warpsmith-gpu bench data/samples
step "pairs a second on this machine" .venv/bin/nox -s bench
step "table of CUDA_STATE.md" make --silent state

echo
echo "written to $result; commit CUDA_STATE.md, and put the figures into notes/how-to/use_a_gpu.md"
exit "$failed"
