#!/usr/bin/env bash
# tidy_test.sh SOURCE: tools/tidy in a small project. What passed is not looked at again until it or a header that it includes changes; a
# finding is never written down as passed; a header's finding is told of each source that includes it. With clang-tidy, where there is one:
# what it says of sources that are looked at together is what it says of each. Without: a stand-in that finds the word BUG.
set -euo pipefail
folder=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-tidy-XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{tools,model,bin}
cp "$1/tools/tidy" "$folder/tools/"
cp "$1/.clang-tidy" "$folder/"
cd "$folder"
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(small CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_library(small model/a.cpp model/b.cpp model/c.cpp)
target_include_directories(small PRIVATE ${CMAKE_SOURCE_DIR})
target_precompile_headers(small PRIVATE <string>)
END
echo 'inline int two() { return 2; }' >model/two.h
for name in a b c; do echo "int $name(int x) { return x + 1; }" >model/$name.cpp; done
printf '#include "model/two.h"\nint a(int x) { return x + two(); }\n' >model/a.cpp
build() { cmake -G Ninja -S . -B build/release >/dev/null && cmake --build build/release >/dev/null; }
fail() { echo "tidy_test: $*"; cat out; exit 1; }
tidy() { code=0; tools/tidy "$@" >out 2>&1 || code=$?; }
says() { grep -qF -e "$1" out || fail "does not say: $1"; }
export CMAKE_CXX_COMPILER_LAUNCHER=

if ! command -v clang-tidy >/dev/null; then
  cat >bin/clang-tidy <<'END'
#!/bin/bash
[[ $1 != --version ]] || exit 0
if g++ -E -I. "${@: -1}" | grep BUG; then exit 1; fi
END
  chmod +x bin/clang-tidy
  PATH=$PWD/bin:$PATH
  bug='int BUG;' found=BUG
else
  bug='int bug(int x) { int* p = nullptr; if (x > 3) p = &x; return *p; }' found=clang-analyzer-core.NullDereference
fi

build
tidy
[[ $code == 0 ]] || fail "a project without findings: $code"
says '3 of 3 files, 0 with findings'
says 'model: 3 of 3 files have passed as they are, the last on 20'
tidy
says '3 of 3 files passed before'
# A run that was killed may have left half a line, or worse. Without ninja nothing is known of what passed.
printf 'model/a.cpp\n\xff half a' >>build/tidy/ledger.txt
tidy
[[ $code == 0 ]] || fail "a damaged ledger: $code"
says '3 of 3 files passed before'
echo >>build/tidy/ledger.txt
mkdir without
ln -s "$(python3 -c 'import sys; print(sys.executable)')" without/python3
for tool in bash env clang-tidy g++ grep; do ln -s "$(command -v $tool)" without/; done
PATH=$PWD/without tidy
[[ $code == 0 ]] || fail "without ninja: $code"
says '3 of 3 files, 0 with findings'

commands=build/release/compile_commands.json
cp $commands kept
for text in '[{' '[1]' '[{"file": "a.cpp"}]' '[{"file": "a.cpp", "command": "g++ a.cpp"}]' $'\xff'; do
  echo "$text" >$commands
  tidy
  [[ $code == 2 && $(wc -l <out) == 1 ]] || fail "commands that are damaged: $code"
  says "tools/tidy: $PWD/$commands is damaged"
done
cp kept $commands

sleep 1  # a file of the same time as its object is not newer
echo 'inline int two() { return 1 + 1; }' >model/two.h
tidy
says '2 of 3 files passed before'
says 'model: 2 of 3'  # not built since
build
tidy
says '2 of 3 files passed before'
says 'model: 3 of 3'

sleep 1
echo "$bug" >>model/b.cpp
build
for again in 1 2; do
  tidy
  [[ $code == 1 ]] || fail "a finding ends with $code"
  says '2 of 3 files passed before'
  says "$found"
  says '3 of 3 files, 1 with findings'
  says 'model: 2 of 3 files have passed as they are'
done
tidy model/a.cpp
[[ $code == 0 ]] || fail "a source without findings"
says '1 of 1 files passed before'
tidy model/b.cpp
[[ $code == 1 ]] || fail "a named source with a finding"

# All three together, since what .clang-tidy says is another.
echo '# changed' >>.clang-tidy
tidy
says '0 of 3 files passed before'
says "$found"
says '3 of 3 files, 1 with findings'
tidy nothing.cpp
[[ $code == 2 ]] || fail "a name of nothing"
says 'nothing.cpp is no source'
