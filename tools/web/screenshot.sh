#!/usr/bin/env bash
# Makes docs/debug-web.png: the page at a store of a blur, by Debian's chromium. Arguments: the program, and the picture to write; then, if
# wanted, width, height, "dark", and a subject with its options.
set -euo pipefail
program=$1 picture=$2 width=${3:-1500} height=${4:-940} dark=${5:-} 
shift $(($# < 5 ? $# : 5))
[[ $# -gt 0 ]] || set -- box-blur/double/naive --size 33x21 --radius 3 -e 'break writeMean' -e 'global 20,12,0 1' -e continue -e 'step'
folder=$(mktemp -d)
trap 'kill "$session" 2>/dev/null; rm -rf "$folder"' EXIT
"$program" debug --web "$@" >"$folder/said" &
session=$!
for _ in {1..100}; do grep -q http "$folder/said" && break; sleep 0.1; done
address=$(sed -n 's/^open //p' "$folder/said")
colours=()
[[ $dark == dark ]] && colours=(--blink-settings=preferredColorScheme=0)
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/profile" --window-size="$width,$height" \
  --virtual-time-budget=4000 "${colours[@]}" --screenshot="$picture" "$address" 2>/dev/null
