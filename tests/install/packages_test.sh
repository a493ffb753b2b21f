#!/usr/bin/env bash
# packages_test.sh SOURCE BUILD: makes the Debian packages of a build, and installs, runs and removes them in a bare Debian of the same
# release. BUILD may be a folder that has the packages. LANEWISE_BARE_DEBIAN is the folder of a debootstrap of it; it is not changed, but whatever apt needs is fetched. As root.
# 77: no such folder, or nothing to mount with.
set -euo pipefail
source=$1 build=$2 bare=${LANEWISE_BARE_DEBIAN:-}
fail() {
  echo "packages_test: $*" >&2
  exit 1
}
if [[ ${3:-} != inside ]]; then
  [[ -d $bare/usr && $EUID == 0 ]] || exit 77
  unshare --mount true 2>/dev/null || exit 77
  exec unshare --mount --propagation slave bash "${BASH_SOURCE[0]}" "$source" "$build" inside
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-packages-XXXXXX")
root=$scratch/root
clean() {
  umount -lR "$root" 2>/dev/null || true
  rm -rf "$scratch"
}
trap clean EXIT
mkdir "$scratch/upper" "$scratch/work" "$root"
if compgen -G "$build/*.deb" >/dev/null; then
  cp -r "$build" "$scratch/packages"
else
  cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch/packages" >"$scratch/log" || fail "$(cat "$scratch/log")"
fi
# What a package depends on was found.
for package in "$scratch"/packages/*.deb; do
  [[ $package == */liblanewise-dev_* || $(dpkg-deb -f "$package" Depends) == *libc6* ]] || fail "${package##*/} does not depend on the libraries it needs"
done
mount -t overlay overlay -o "lowerdir=$bare,upperdir=$scratch/upper,workdir=$scratch/work" "$root" || exit 77
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/"
# Not with this environment, which may keep Python from compiling.
in_root() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }

mkdir -p "$root/src/tests" "$root/ci"
cp "$scratch"/packages/*.deb "$root/ci"
cp -r "$source/examples" "$root/src"
cp -r "$source/tests/install" "$source/tests/python" "$root/src/tests"

# The CI examples, line by line: they install the program and check a kernel.
in_root apt-get -qq update
in_root bash /src/tests/install/ci_test.sh /src lanewise /ci || fail "the examples"
in_root dpkg-query -W -f '${Package}\n' | grep -qi -e openimageio -e vulkan -e '^python3$' && fail "the program needs what it should not"
# Without the other packages: what is missing is said.
code=0
said=$(in_root lanewise devices 2>&1) || code=$?
[[ $code == 4 ]] || fail "devices: exit code $code: $said"

# Twenty lines of Python, and the module's own tests; the plugin of pytest is found by itself.
in_root bash -c 'apt-get install -qq -y --no-install-recommends /ci/liblanewise0.1_*.deb /ci/python3-lanewise_*.deb python3-pytest mypy' >"$scratch/log" 2>&1 ||
  fail "$(tail -n 5 "$scratch/log")"
in_root env LANEWISE_INSTALLED=1 python3 -m pytest -q -p no:cacheprovider /src/tests/python || fail "the tests in Python"

# Twenty lines of C++.
in_root bash -c 'apt-get install -qq -y --no-install-recommends /ci/liblanewise-dev_*.deb g++ make cmake libgmock-dev' >"$scratch/log" 2>&1 ||
  fail "$(tail -n 5 "$scratch/log")"
in_root bash -ec 'cd /src/tests/install/example && cmake -B build . && cmake --build build && build/twice_test' >"$scratch/log" 2>&1 ||
  fail "the example: $(tail -n 5 "$scratch/log")"

# What Debian's own checkers say of the packages and of the pages.
in_root apt-get install -qq -y --no-install-recommends lintian man-db >"$scratch/log" 2>&1 || fail "$(tail -n 5 "$scratch/log")"
in_root bash -c 'lintian --fail-on error,warning /ci/*.deb' >"$scratch/log" 2>&1 || fail "lintian: $(cat "$scratch/log")"
said=$(in_root bash -c 'for page in /usr/share/man/man1/lanewise*; do man --warnings -l -Tutf8 -Z "$page" 2>&1 >/dev/null || echo "$page: $?"; done')
[[ -z $said ]] || fail "the pages: $said"

# Nothing stays behind.
in_root apt-get purge -qq -y 'lanewise*' 'liblanewise*' 'python3-lanewise' >/dev/null 2>&1 || fail "they cannot be removed"
left=$(find "$root/usr" "$root/etc" "$root/var/lib" -iname '*lanewise*' -not -path '*/dpkg/*' | head)
[[ -z $left ]] || fail "left behind: $left"
