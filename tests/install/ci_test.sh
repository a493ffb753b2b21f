#!/usr/bin/env bash
# ci_test.sh SOURCE PROGRAM [apt]: runs the command lines of the CI examples in an empty folder, on the kernel as it is and on a wrong one.
# Those of apt are run only if the last word says so: in a container, where ci/ has the packages (packages_test.sh).
set -euo pipefail
source=$1 program=$2 apt=${3:-}
fail() {
  echo "ci_test: $*" >&2
  exit 1
}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-ci-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/kernels"
[[ -n $apt ]] || ln -s "$program" "$scratch/bin/lanewise"
[[ -z $apt ]] || cp -r "$apt" "$scratch/ci"
export PATH=$scratch/bin:$PATH DEBIAN_FRONTEND=noninteractive
cd "$scratch"
for example in github-actions gitlab-ci; do
  commands=$("$source/tests/install/ci_commands.sh" "$source/examples/ci/$example.yml")
  [[ $(grep -c '^lanewise' <<<"$commands") -ge 1 && $(grep -c '^apt-get' <<<"$commands") == 2 ]] || fail "$example.yml has other commands: $commands"
  [[ -n $apt ]] || commands=$(grep -v '^apt-get' <<<"$commands")
  cp "$source/tests/install/example/twice.comp" kernels
  bash -e -c "$commands" >log 2>&1 || fail "$example.yml: $(cat log)"
  sed -i 's/values\[i\]/values[i + 1u]/' kernels/twice.comp
  rm -f twice.sarif twice.xml
  code=0
  bash -e -c "$commands" >log 2>&1 || code=$?
  [[ $code == 1 ]] || fail "$example.yml: exit code $code for a wrong kernel: $(cat log)"
  grep -q '"uri": *"kernels/twice.comp"' twice.sarif || fail "the finding has no file: $(cat twice.sarif)"
  grep -q '"startLine": *8' twice.sarif || fail "the finding has no line"
  grep -q '<failure message="kernels/twice.comp:8: out of range' twice.xml || fail "no failure in JUnit: $(cat twice.xml)"
  # Every file that is kept is one that was written.
  for file in $(grep -oE 'twice\.(sarif|xml)' "$source/examples/ci/$example.yml" | sort -u); do [[ -s $file ]] || fail "$file is not written"; done
  rm -f twice.sarif twice.xml
done
