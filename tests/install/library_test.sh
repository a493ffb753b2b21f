#!/usr/bin/env bash
# library_test.sh BUILD CXX: installs the library, compiles each header alone, and builds and runs the example against what was installed,
# once with its kernel as it is and once with a wrong one.
set -euo pipefail
build=$1 cxx=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fail() {
  echo "library_test: $*" >&2
  exit 1
}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-library-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
for component in library dev; do
  cmake --install "$build" --prefix "$scratch/prefix" --component $component >log || fail "$(cat log)"
done

headers=$(ls prefix/include/lanewise)
[[ $(wc -w <<<"$headers") -ge 7 ]] || fail "headers are missing: $headers"
for header in $headers; do
  echo "#include <lanewise/$header>" | "$cxx" -std=c++17 -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only -I prefix/include -x c++ - ||
    fail "$header does not compile alone"
done
# The library's own names, and no others.
exported=$(nm -DC --defined-only prefix/lib/liblanewise.so | awk '{ $1 = $2 = ""; print }' | grep -v '^ *lw::' || true)
[[ -z $(grep -E 'lanewise::|spvtools|glslang|shaderc' <<<"$exported") ]] || fail "the library shows what is inside: $(head -n 5 <<<"$exported")"

cp -r "$here/example" source
sanitize=$(sed -n 's/^LANEWISE_SANITIZE:STRING=//p' "$build/CMakeCache.txt")  # a program that links such a library is built so too
cmake -G Ninja -S source -B example -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_CXX_FLAGS="${sanitize:+-fsanitize=$sanitize}" >log 2>&1 || fail "$(cat log)"
cmake --build example >log 2>&1 || fail "$(cat log)"
example/twice_test >log 2>&1 || fail "$(cat log)"
sed -i 's/2u \*/3u */' source/twice.comp
! example/twice_test >log 2>&1 || fail "a wrong kernel passes"
for says in "byte 0 of 'twice': 2 expected, 3 got; 4 of 4 values differ, by at most 4" "stored by invocation (0, 0, 0)" "twice.comp:8"; do
  grep -qF "$says" log || fail "the message lacks \"$says\": $(cat log)"
done

# A component that is not there, and a version that is another one.
sed 's/COMPONENTS model golden/COMPONENTS model gold/' -i source/CMakeLists.txt
! cmake -G Ninja -S source -B other -DCMAKE_PREFIX_PATH="$scratch/prefix" >log 2>&1 || fail "a component that is not there was found"
grep -qF "lanewise has no component 'gold' here" <(tr -s ' \n' ' ' <log) || fail "CMake does not say which component is missing: $(cat log)"
sed 's/lanewise 0.1 REQUIRED COMPONENTS model gold/lanewise 0.2 REQUIRED COMPONENTS model/' -i source/CMakeLists.txt
! cmake -G Ninja -S source -B newer -DCMAKE_PREFIX_PATH="$scratch/prefix" >log 2>&1 || fail "0.1 passes for 0.2"
