#!/bin/sh
# The adapter against what others wrote: the protocol's definitions, and a client. Fetches both from npm.
# Usage: nightly.sh LANEWISE WORK-FOLDER. Exit code 77: there is no npm.
set -e
command -v npm > /dev/null || exit 77
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2"
npm install --no-save --silent --prefix . @vscode/debugadapter-testsupport@1.68.0 @vscode/debugprotocol@1.68.0 typescript@5 > npm.log
export NODE_PATH="$PWD/node_modules"
node "$here/conform.js" "$here"/conversations/*.txt
node "$here/other_client.js" "$1" "$here/conversations"
