# shellcheck shell=bash disable=SC2086,SC2119,SC2120 # package lists are split on purpose
# Sourced by tools/validate and tools/test: installs packages that are missing, and builds. A second run finds nothing to do.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() {
  say "$*"
  exit 6
}

# missing_packages PART...: the packages of those parts of tools/packages.txt that dpkg does not have installed.
missing_packages() {
  local wanted
  wanted=$(awk -v parts=" $* " '/^\[/ { on = index(parts, " " substr($1, 2, length($1) - 2) " ") } /^[a-z]/ && on' "$root/tools/packages.txt")
  comm -23 <(sort <<<"$wanted") <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $wanted 2>/dev/null | awk '$2 == "installed" { print $1 }' | sort)
}

# install_packages PART...
install_packages() {
  command -v dpkg-query >/dev/null || die "this is no Debian: install what tools/packages.txt names, then build with: cmake --preset release && cmake --build --preset release"
  local missing as_root=()
  missing=$(missing_packages "$@")
  if grep -qx chromium <<<"$missing" && grep -qx ID=ubuntu /etc/os-release; then
    say "Ubuntu has chromium as a snap alone, which sees no folder of ours: tests in a browser, and on SwiftShader, are skipped"
    missing=$(grep -vx chromium <<<"$missing" || true)
  fi
  [[ -n $missing ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    sudo -n true 2>/dev/null || die "needs root or sudo without a password to install:" $missing
    as_root=(sudo -n)
  fi
  say "installing" $missing
  "${as_root[@]}" apt-get -q update >&2 || die "apt-get update failed"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing >&2 || die "apt-get install failed"
}

# configured OPTION: whether it is on in build/release.
configured() { grep -q "^$1:.*=ON$" "$root/build/release/CMakeCache.txt" 2>/dev/null; }

# configure [OPTION...]: the build folder, if there is none, and these options on. In CI warnings are errors, as in the presets of developers.
configure() (
  cd "$root"
  local preset=(user) option missing=()
  [[ -z ${CI:-} ]] || preset=(release -DCMAKE_UNITY_BUILD=ON -DLANEWISE_TESTS=OFF -DLANEWISE_COMMANDS=OFF -DLANEWISE_PICTURES=OFF)
  [[ -f build/release/build.ninja ]] || cmake --preset "${preset[@]}" >&2
  for option in "$@"; do configured "$option" || missing+=("-D$option=ON"); done
  [[ ${#missing[@]} -eq 0 ]] || cmake "${missing[@]}" build/release >&2
)

# build [TARGET...]: all targets if none is named.
build() { cmake --build "$root/build/release" ${1:+--target "$@"} >&2; }
