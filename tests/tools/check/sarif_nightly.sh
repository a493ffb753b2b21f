#!/bin/sh
# What `check --sarif` writes, of kernels with and without findings, against the standard's schema, which comes from npm with its reader.
# Usage: sarif_nightly.sh LANEWISE WORK-FOLDER. Exit code 77: there is no npm.
set -e
command -v npm > /dev/null || exit 77
rm -rf "$2"
mkdir -p "$2"
cd "$2"
npm install --no-save --silent --prefix . @microsoft/jest-sarif@1.0.0-beta.0 ajv@6.12.6 > npm.log
cat > 'a kernel é.comp' << 'END'
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { uint data[]; };
shared uint s;
void main() { s = gl_LocalInvocationIndex; data[gl_GlobalInvocationID.x + 1u] = s; }
END
"$1" check 'a kernel é.comp' --buffer B=zeros:16 --devices model --sarif findings.sarif > check.log && exit 1
"$1" check photo/sobel/checked --size 3x2 --devices model --sarif none.sarif >> check.log
node - findings.sarif none.sarif << 'END'
const fs = require("fs");
const read = (file) => JSON.parse(fs.readFileSync(file));
const modules = process.cwd() + "/node_modules/";
const ajv = new (require(modules + "ajv"))({ schemaId: "id", meta: false, unknownFormats: "ignore" });
ajv.addMetaSchema(read(modules + "ajv/lib/refs/json-schema-draft-04.json"));
const holds = ajv.compile(read(modules + "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"));
const [some, none] = process.argv.slice(2).map((file) => {
  const log = read(file);
  if (!holds(log)) throw new Error(file + ": " + ajv.errorsText(holds.errors));
  return log.runs[0].results.length;
});
if (some < 2 || none !== 0) throw new Error(`${some} and ${none} results`);
const wrong = read("findings.sarif");
wrong.runs[0].results[0].message = "no object";
if (holds(wrong)) throw new Error("the schema takes anything");
END
