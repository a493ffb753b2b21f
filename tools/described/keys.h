// Every key of a kernel description: its table, name, type and help. The reader refuses others; the JSON schema for editors is made of
// these rows, and docs/descriptions.md has a line for each.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lanewise {

struct KeyRow {
  const char* table;  // "": the top; "parameters.*": each table inside of it; "dispatches[]": each of an array of tables
  const char* key;    // "*": any name
  const char* type;   // a name that schemaOfType (keys.cpp) knows
  const char* help;
};

std::span<const KeyRow> descriptionKeys();

// JSON Schema (draft 2020-12), which editors take for TOML too.
std::string descriptionSchema();

}  // namespace lanewise
