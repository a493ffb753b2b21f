#!/usr/bin/env bash
# nightly.sh SOURCE [EXECUTIONS [TARGET...]]: builds the fuzzers by clang, with AddressSanitizer and UndefinedBehaviorSanitizer, in
# SOURCE/build/fuzz, and lets each run so often (default: a million) from its corpus, with its dictionary, in as many processes as there are
# processors (JOBS), which share the executions and what they find. That stays in build/fuzz/corpus for the next night. Prints executions,
# the best coverage of a process, and time of each. SECONDS_EACH=150 ends each after so long, however many executions that are. 77: there is
# no clang.
set -euo pipefail
source=$(realpath "$1") executions=${2:-1000000} jobs=${JOBS:-$(nproc)}
shift $(($# < 2 ? $# : 2))
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(module assembly changed description script capsule state golden journal picture)
command -v clang++ >/dev/null || exit 77
build=$source/build/fuzz
[[ -f $build/build.ninja ]] || CC=clang CXX=clang++ cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_UNITY_BUILD=ON \
  -DLANEWISE_QUICK_BUILD=ON -DLANEWISE_FUZZ=ON -DLANEWISE_PYTHON=OFF -DLANEWISE_SANITIZE=address,undefined >/dev/null
cmake --build "$build" --target "${targets[@]/#/fuzz-}" lanewise-pictures >"$build/log" || { tail -n 30 "$build/log" >&2; exit 1; }
# Some write each input into a file: in memory, because a disk is waited for.
[[ ! -w /dev/shm ]] || export TMPDIR=/dev/shm
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-fuzz-XXXXXX") && export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
failed=0
for target in "${targets[@]}"; do
  kept=$build/corpus/$target
  mkdir -p "$kept"
  begin=$SECONDS
  dictionary=()
  [[ ! -f $source/tests/fuzz/$target.dict ]] || dictionary=("-dict=$source/tests/fuzz/$target.dict")
  # OpenImageIO 2.4 loses the text of an error of libpng, after which leaks would be looked for at every execution: 3 of these a second.
  # That one is not looked for leaks, at the end neither.
  leaks=1
  [[ $target != picture ]] || leaks=0
  # The timeout is of the clock, and on a loaded machine an input can wait for minutes.
  logs=$build/logs/$target
  rm -rf "$logs"
  mkdir -p "$logs"
  if (cd "$logs" && ASAN_OPTIONS=detect_leaks=$leaks:intercept_tls_get_addr=0 "$build/bin/fuzz-$target" -jobs="$jobs" -workers="$jobs" \
    -runs=$(((executions + jobs - 1) / jobs)) -max_total_time="${SECONDS_EACH:-0}" -max_len=65536 -timeout=600 -rss_limit_mb=4096 \
    -print_final_stats=1 "${dictionary[@]}" -artifact_prefix="$build/$target-" "$kept" "$source/tests/fuzz/corpus/$target") >"$build/$target.log" 2>&1; then
    result=passed
  else
    result=FAILED failed=1
  fi
  # libFuzzer says how many places it counts at (edges of the program, all that is linked), and in its last line how many it has reached.
  all=$(sed -nE 's/^INFO: Loaded .* \(([0-9]+) (inline 8-bit counters|guards)\).*/\1/p' "$logs"/fuzz-0.log | awk '{ sum += $1 } END { print sum + 0 }')
  reached=$(for log in "$logs"/*.log; do grep -oaE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2; done | sort -n | tail -n 1) || true
  ran=$(cat "$logs"/*.log | sed -n 's/^stat::number_of_executed_units: *//p' | awk '{ sum += $1 } END { print sum + 0 }')
  printf '%-12s %s: %s executions, %s of %s edges, %s s\n' "$target" "$result" "$ran" "$reached" "$all" $((SECONDS - begin))
done
exit $failed
