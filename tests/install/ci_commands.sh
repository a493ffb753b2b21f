#!/usr/bin/env bash
# ci_commands.sh EXAMPLE: the command lines of a CI example, in their order: of `run: |` (GitHub), `before_script:` and `script:` (GitLab).
awk '
  { match($0, /^ */); indent = RLENGTH }
  block && indent > depth { print substr($0, depth + 3); next }
  { block = 0 }
  /^ *run: \|$/ { block = 1; depth = indent; next }
  list && /^ *- / { sub(/^ *- /, ""); print; next }
  { list = /^ *(before_)?script:$/ }
' "$1"
