#!/usr/bin/env bash
# figures_test.sh SOURCE PROGRAM: tools/figures with a few kernels, and the tables that tools/figures-tables makes of its files; a table of a page
# that differs from its files is found.
set -euo pipefail
source=$1 program=$2
scratch=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-figures-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
tables() { "$source/tools/figures-tables" "$@" 2>&1; }
wrong() { echo "figures_test: $*" >&2; exit 1; }
# expect CODE TEXT COMMAND...: the exit code, and what is printed, with * for anything.
expect() {
  local wanted=$1 text=$2 code=0 said
  shift 2
  said=$("$@" 2>&1) || code=$?
  # shellcheck disable=SC2053
  [[ $code == "$wanted" && $said == $text ]] || wrong "$*: exit code $code: $said"
}

# By hand: two drivers, of which the second has no time for one kernel.
mkdir "$scratch/docs"
head=kernel,transcendental,threads,model\ interpreter_ms,model\ compiled_ms,lavapipe_ms
printf '%s\n' "$head" a,0,1,8,2,4 b,1,1,1,0.5,0.25 >"$scratch/docs/corpus-1-mesa-26.2.6.csv"
printf '%s\n' "$head" a,0,1,8,1,8 b,1,1,1,0.5, >"$scratch/docs/corpus-1-mesa-9.3.6.csv"
page=$scratch/page.md
printf '%s\n' text "<!-- figures $scratch/docs means -->" old '<!-- end -->' "<!-- figures $scratch/docs below -->" '<!-- end -->' more >"$page"
expect 1 '*-old*+| all, 2 | 1.00 | 0.35 | 8.00 | 1.00 |*' tables --check "$page"
expect 0 '' tables "$page"
expect 0 '' tables --check "$page"
expect 0 'text*
| kernels | native beside 26.2.6 | interpreter beside 26.2.6 | native beside 9.3.6 | interpreter beside 9.3.6 |
*
| all, 2 | 1.00 | 0.35 | 8.00 | 1.00 |
| mostly transcendental functions, 1 | 0.50 | 0.25 |  |  |
| the others, 1 | 2.00 | 0.50 | 8.00 | 1.00 |
*
| native code below 1 | b 0.50 |
| interpreter below 0.3 | b 0.25 |
*more' cat "$page"
sed -i 's/| the others, 1 | 2.00/| the others, 1 | 2.01/' "$page"
expect 1 '*-| the others, 1 | 2.01*+| the others, 1 | 2.00*' tables --check "$page"
sed -i 's/ means -->/ none -->/' "$page"
expect 2 '*there is no table none*' tables --check "$page"
expect 2 '*corpus-threads.csv: No such file*' tables "$scratch/docs"
expect 2 '*no line <!-- figures*' tables --check "$source/README.md"

# The page's tables are what its files give.
expect 0 '' tables --check "$source/docs/speed.md"

# The figures themselves: every table comes from what tools/figures writes.
LANEWISE_FIGURES_QUICK=1 "$source/tools/figures" "$scratch/made" "$program" >"$scratch/log" 2>&1 || wrong "tools/figures: $(cat "$scratch/log")"
tables "$scratch/made" >"$scratch/tables" || wrong "$(cat "$scratch/tables")"
for line in '| saxpy |' '| all, 2 |' '| geometric mean |' '| blur-sliding |' '| depth/floor/multipass |' '| time before the first dispatch, ms |'; do
  grep -qF "$line" "$scratch/tables" || wrong "no line $line: $(cat "$scratch/tables")"
done
expect 2 '*no program /none*' "$source/tools/figures" "$scratch/made" /none
expect 2 '*no manifest /none*' "$source/tools/figures" "$scratch/made" "$program" /none
