#!/usr/bin/env bash
# Installs the real tools that the builtins are compared with, then prints the directory to put first on PATH.
#   npm run -s oracle [-- DEST]        default DEST: ${XDG_CACHE_HOME:-$HOME/.cache}/shelpa-oracle
# For Debian 12 (other releases have other versions of the GNU tools), as root: apt-get installs the GNU tools of the
# machine's own release. ripgrep 15, fd 10, jq 1.8, gawk 5.3 are newer than that release has: their packages come from
# the newest suite of the same archive, are unpacked into DEST with the libraries they need, and start through wrappers.
# Nothing outside DEST changes but the packages named below. Where the wrappers are there already, it installs nothing.
set -euo pipefail
dest=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/shelpa-oracle}
if [[ -x $dest/bin/rg && -x $dest/bin/fd && -x $dest/bin/jq && -x $dest/bin/gawk ]]; then echo "$dest/bin"; exit 0; fi
export DEBIAN_FRONTEND=noninteractive
{
  apt-get update
  apt-get install -y --no-install-recommends coreutils findutils grep sed gawk mawk diffutils tree file \
    bsdextrautils xxd busybox util-linux python3-minimal
} >&2
archive=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
[[ -n $archive ]] || archive=$(sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list | head -n 1)
state=$dest/apt
mkdir -p "$state/lists/partial" "$state/debs" "$dest/root" "$dest/bin"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive sid main" >"$state/sources.list"
apt=(-o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$state/lists"
  -o "Dir::Cache=$state" -o APT::Get::List-Cleanup=0)
apt-get "${apt[@]}" update >&2
(cd "$state/debs" && apt-get "${apt[@]}" download ripgrep fd-find jq gawk libc6 libgcc-s1 libjq1 libonig5 libpcre2-8-0 \
  libmpfr6 libgmp10 libreadline8t64 libtinfo6 libsigsegv2) >&2
for deb in "$state"/debs/*.deb; do dpkg-deb -x "$deb" "$dest/root"; done
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")
loader=$(find "$dest/root/usr/lib/$triplet" -maxdepth 1 -name 'ld-linux*.so*' | head -n 1)
wrap() { # wrap NAME FILE: a starter that uses the unpacked loader and libraries
  printf '#!/bin/sh\nexec %q --library-path %q --argv0 %q %q "$@"\n' "$loader" "$dest/root/usr/lib/$triplet" "$1" "$2" >"$dest/bin/$1"
  chmod 755 "$dest/bin/$1"
}
wrap rg "$dest/root/usr/bin/rg"
wrap fd "$dest/root/usr/bin/fdfind"
wrap jq "$dest/root/usr/bin/jq"
wrap gawk "$dest/root/usr/bin/gawk"
ln -sf gawk "$dest/bin/awk"
rm -rf "$state"
for tool in rg fd jq gawk; do "$dest/bin/$tool" --version | head -n 1 >&2; done
echo "$dest/bin"
