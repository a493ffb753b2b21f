#!/usr/bin/env bash
# nightly.sh SOURCE [EXECUTIONS [TARGET...]]: builds the fuzzers by clang, with AddressSanitizer and UndefinedBehaviorSanitizer, in
# SOURCE/build/fuzz, and lets each run so often (default: a million) from its corpus, with its dictionary. What it finds on the way stays in
# build/fuzz/corpus for the next night. Prints executions, coverage and time of each. 77: there is no clang.
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
failed=0
for target in "${targets[@]}"; do
  kept=$build/corpus/$target
  mkdir -p "$kept"
  begin=$SECONDS
  dictionary=()
  [[ ! -f $source/tests/fuzz/$target.dict ]] || dictionary=("-dict=$source/tests/fuzz/$target.dict")
  if "$build/bin/fuzz-$target" -runs="$executions" -max_len=65536 -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 "${dictionary[@]}" \
    -artifact_prefix="$build/$target-" "$kept" "$source/tests/fuzz/corpus/$target" >"$build/$target.log" 2>&1; then
    result=passed
  else
    result=FAILED failed=1
  fi
  # libFuzzer's last line with figures: #runs ... cov: edges ft: features
  printf '%-12s %s: %s executions, %s edges, %s s\n' "$target" "$result" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log")" "$(grep -oE 'cov: [0-9]+' "$build/$target.log" | tail -n 1 | cut -d' ' -f2)" \
    $((SECONDS - begin))
done
exit $failed
