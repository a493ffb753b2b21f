#!/usr/bin/env bash
# sdist_test.sh SOURCE PYTHON: makes the source package of the Python module, and sees that a wheel can be built from it: it holds every file
# of the repository, and CMake finds all that it would compile. Nothing is compiled. 77: no git, no setuptools, or no Ninja.
set -euo pipefail
source=$1 python=$2
fail() {
  echo "sdist_test: $*" >&2
  exit 1
}
git -C "$source" rev-parse 2>/dev/null && "$python" -c 'import setuptools' 2>/dev/null && command -v ninja >/dev/null || exit 77
scratch=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-sdist-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tree"
(cd "$source" && git ls-files --cached --others --exclude-standard -z | xargs -0 cp --parents -t "$scratch/tree" 2>/dev/null) || true
(cd "$scratch/tree" && "$python" setup.py -q sdist -d "$scratch") >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
(cd "$scratch/tree" && find . -type f -not -path './.*/*' -not -name .gitignore -not -path '*.egg-info/*' | sort) >"$scratch/wanted"
mkdir "$scratch/unpacked"
tar xzf "$scratch"/lanewise-*.tar.gz -C "$scratch/unpacked" --strip-components=1
(cd "$scratch/unpacked" && find . -type f | sort) >"$scratch/held"
missing=$(comm -23 "$scratch/wanted" "$scratch/held")
[[ $(wc -l <"$scratch/wanted") -gt 1000 && -z $missing ]] || fail "the source package lacks $(wc -l <<<"$missing") files: $(head -n 5 <<<"$missing")"

cmake -G Ninja -S "$scratch/unpacked" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release -DLANEWISE_TESTS=OFF -DCMAKE_UNITY_BUILD=OFF \
  -DPython_EXECUTABLE="$python" >"$scratch/log" 2>&1 || fail "$(tail -n 20 "$scratch/log")"
ninja -C "$scratch/build" -t inputs lanewise_python lanewise-worker lanewise-pictures | grep -F "$scratch/unpacked/" | sort -u >"$scratch/inputs"
[[ $(grep -c '\.cpp$' "$scratch/inputs") -gt 100 ]] || fail "CMake would compile $(wc -l <"$scratch/inputs") files"
while read -r file; do [[ -e $file ]] || fail "there is no $file"; done <"$scratch/inputs"
