#!/usr/bin/env bash
# nightly.sh SOURCE [EXECUTIONS [TARGET...]]: builds the fuzzers by clang, with AddressSanitizer and UndefinedBehaviorSanitizer, in
# SOURCE/build/fuzz, and lets each run so often (default: a million) from its corpus, with its dictionary. What it finds on the way stays in
# build/fuzz/corpus for the next night. Prints executions, coverage and time of each. SECONDS_EACH=150 ends each after so long, however many
# executions that are. 77: there is no clang.
set -euo pipefail
source=$1 executions=${2:-1000000}
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
  if ASAN_OPTIONS=detect_leaks=$leaks:intercept_tls_get_addr=0 "$build/bin/fuzz-$target" -runs="$executions" -max_total_time="${SECONDS_EACH:-0}" -max_len=65536 -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 "${dictionary[@]}" \
    -artifact_prefix="$build/$target-" "$kept" "$source/tests/fuzz/corpus/$target" >"$build/$target.log" 2>&1; then
    result=passed
  else
    result=FAILED failed=1
  fi
  # libFuzzer says how many places it counts at (edges of the program, all that is linked), and in its last line how many it has reached.
  log=$build/$target.log
  all=$(sed -nE 's/^INFO: Loaded .* \(([0-9]+) (inline 8-bit counters|guards)\).*/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
  reached=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2)
  printf '%-12s %s: %s executions, %s of %s edges, %s s\n' "$target" "$result" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$reached" "$all" $((SECONDS - begin))
done
exit $failed
