#!/usr/bin/env bash
# nightly_test.sh SOURCE: tools/nightly, with parts that take no time.
set -euo pipefail
source=$1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-nightly-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export LANEWISE_NIGHTLY_ROOT=$scratch LANEWISE_NIGHTLY_TABLE=$scratch/parts.txt
printf '# comment\ngood  echo well && true\nbad   echo no; false; echo never\nother exit 77\n' >"$scratch/parts.txt"
nightly() { "$source/tools/nightly" "$@" 2>&1; }
# expect CODE PATTERN ARGUMENT...: the exit code, and a line that is printed.
expect() {
  local wanted=$1 pattern=$2 code=0 said
  shift 2
  said=$(nightly "$@") || code=$?
  [[ $code == "$wanted" ]] && grep -qE "$pattern" <<<"$said" || { echo "nightly_test: nightly $*: exit code $code: $said" >&2; exit 1; }
}
expect 1 '^good +has never passed$' --last
expect 0 '^good +passed in [0-9]+ s$' good
expect 1 '^bad +FAILED in [0-9]+ s: build/nightly/bad.log$' bad
expect 1 '^other +skipped in' bad other
grep -qx no "$scratch/build/nightly/bad.log" && ! grep -q never "$scratch/build/nightly/bad.log"
expect 0 '^good +passed last on 20[0-9-]+ [0-9:]+ at [a-z0-9+]+, in [0-9]+ s$' --last good
expect 1 '^bad +has never passed; FAILED on 20' --last
printf 'good  false\n' >"$scratch/parts.txt"
expect 1 FAILED
expect 1 '^good +passed last on 20.*; FAILED on 20' --last
expect 2 "there is no part 'none'; there are: good" none
expect 2 'runs the parts' --help
# Each part of the table is a command.
unset LANEWISE_NIGHTLY_TABLE
[[ $(nightly --last | wc -l) -ge 5 ]]
