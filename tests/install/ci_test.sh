#!/usr/bin/env bash
# ci_test.sh SOURCE PROGRAM: runs the commands of the CI examples, but for those of apt, on the kernel as it is and on a wrong one.
set -euo pipefail
source=$1 program=$2
fail() {
  echo "ci_test: $*" >&2
  exit 1
}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-ci-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/kernels"
ln -s "$program" "$scratch/bin/lanewise"
export PATH=$scratch/bin:$PATH
cd "$scratch"
for example in github gitlab; do
  commands=$(sed -n 's/^ *\(- \)\?\(lanewise .*\)/\2/p' "$source/docs/ci/$example.yml")
  [[ -n $commands ]] || fail "$example.yml has no commands"
  cp "$source/tests/install/example/twice.comp" kernels
  bash -e -c "$commands" >log 2>&1 || fail "$example.yml: $(cat log)"
  sed -i 's/values\[i\]/values[i + 1u]/' kernels/twice.comp
  rm -f twice.sarif twice.xml
  code=0
  bash -e -c "$commands" >log 2>&1 || code=$?
  [[ $code == 1 ]] || fail "$example.yml: exit code $code for a wrong kernel"
  grep -q '"uri": *"kernels/twice.comp"' twice.sarif || fail "the finding has no file: $(cat twice.sarif)"
  grep -q '"startLine": *8' twice.sarif || fail "the finding has no line"
  grep -q '<failure message="kernels/twice.comp:8: out of range' twice.xml || fail "no failure in JUnit"
  # Every file that is kept is one that was written.
  for file in $(grep -oE 'twice\.(sarif|xml)' "$source/docs/ci/$example.yml" | sort -u); do [[ -s $file ]] || fail "$file is not written"; done
done
