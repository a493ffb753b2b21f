// Every key of a kernel description: its table, name, type and help. The reader refuses others; the JSON schema for editors is made of
// these rows, and docs/descriptions.md has a line for each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanewise {

enum class KeyType : std::uint8_t {
  kVersion,
  kText,
  kTexts,
  kInteger,
  kIntegers,
  kNumber,
  kBoolean,
  kFormula,   // a text, a number or a boolean
  kFormulas,  // ... or several
  kValue,     // a text or an integer
  kValues,
  kTable,
  kTables,
  kDispatches,  // tables as those of the top
  kPush,        // a table, or formulas
  kBinding      // a text, or a table
};

inline constexpr std::string_view kAnyKey = "*";

struct KeyRow {
  const char* table;  // "": the top; "parameters.*": each table inside of it; "dispatches[]": each of an array of tables
  const char* key;    // kAnyKey: any name
  KeyType type;
  const char* help;
};

std::span<const KeyRow> descriptionKeys();

// JSON Schema (draft 2020-12), which editors take for TOML too.
std::string descriptionSchema();

}  // namespace lanewise
