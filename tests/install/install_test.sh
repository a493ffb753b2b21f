#!/usr/bin/env bash
# install_test.sh SOURCE BUILD: installs the build into an empty folder, and runs what was installed where neither the source tree nor the
# build folder can be seen. 77: this host lets nobody hide a folder.
set -euo pipefail
source=$1 build=$2
fail() {
  echo "install_test: $*" >&2
  exit 1
}

if [[ ${3:-} != inside ]]; then
  unshare --map-root-user --mount true 2>/dev/null || exit 77
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-install-XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  for component in program pictures devices library dev; do
    DESTDIR="$scratch/staged" cmake --install "$build" --prefix /opt/lanewise --component $component >"$scratch/log" || fail "$(cat "$scratch/log")"
  done
  [[ $(find "$scratch/staged" -maxdepth 2 -mindepth 2) == "$scratch/staged/opt/lanewise" ]] || fail "files outside of the prefix"
  # Debug information and what sanitizers print have names of sources.
  released=$(grep '^CMAKE_BUILD_TYPE:STRING=Release$' "$build/CMakeCache.txt") || true
  [[ -z $released ]] || ! grep -rlF -e "$source" -e "$build" "$scratch/staged" || fail "these files name the source tree or the build folder"
  mv "$scratch/staged/opt/lanewise" "$scratch/moved"
  cp "${BASH_SOURCE[0]}" "$scratch/test.sh"
  # What sanitizers are to be silent about stands in the source tree.
  cp "$source"/tests/*.supp "$scratch"
  for options in LSAN_OPTIONS TSAN_OPTIONS; do [[ ! -v $options ]] || export "$options=${!options//"$source/tests"/"$scratch"}"; done
  cd "$scratch"
  unshare --map-root-user --mount bash "$scratch/test.sh" "$source" "$build" inside
  exit
fi

prefix=$PWD/moved
mount -t tmpfs none "$source"
[[ ! -e $source/README.md && ! -e $build ]] || fail "the source tree is still to be seen"
export PATH=$prefix/bin:$PATH

# The stored goldens are found; one that is not there is a failure of its own kind.
lanewise golden status >golden.txt || fail "$(cat golden.txt)"
lanewise validate photo/sobel/checked --devices model >validate.txt || fail "$(cat validate.txt)"
grep -q '0 failed' validate.txt || fail "$(cat validate.txt)"
! grep -q 'oracle only' validate.txt || fail "the goldens were not used: $(cat validate.txt)"
mv "$prefix/share/lanewise/golden" elsewhere
code=0
lanewise golden status >golden.txt 2>&1 || code=$?
[[ $code == 6 ]] && grep -qF "$prefix/share/lanewise/golden" golden.txt || fail "without a store: exit code $code, $(cat golden.txt)"

# The modules and the worker.
lanewise golden image 'photo/sobel/checked @ 5x3 input=ramp' --out images >image.txt || fail "$(cat image.txt)"
find images -name '*.png' | grep -q . || fail "no picture was written"
[[ ! -e $prefix/lib/lanewise/lanewise-worker ]] || lanewise devices >devices.txt || fail "$(cat devices.txt)"

# The pages, and what shells complete.
if command -v man >/dev/null; then
  for page in "$prefix"/share/man/man1/*.1.gz; do
    LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null | grep . && fail "man has warnings on $page"
  done
fi
[[ -f $prefix/share/man/man1/lanewise-golden-image.1.gz ]] || fail "there is no page on golden image"
completed() {
  bash -c 'source "$0/share/bash-completion/completions/lanewise"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lanewise; echo ${COMPREPLY[*]}' \
    "$prefix" "$@"
}
[[ $(completed lanewise val) == validate ]] || fail "bash: commands"
[[ $(completed lanewise golden ver) == verify ]] || fail "bash: commands of golden"
[[ $(completed lanewise validate --subg) == --subgroup-sizes ]] || fail "bash: options"
[[ $(completed lanewise validate photo/sob) == "photo/sobel/checked photo/sobel/nonuniform" ]] || fail "bash: kernels"
[[ $(completed lanewise validate --report photo/sob) == "" ]] || fail "bash: a folder is no kernel"
[[ $(completed lanewise check --ver) == "" ]] || fail "bash: an option of another command"
for shell in zsh fish; do
  ! command -v $shell >/dev/null || $shell -n "$(find "$prefix/share/$shell" -type f | head -n 1)" || fail "$shell does not read its file"
done
