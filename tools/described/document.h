// A TOML document as plain values, each with its place in the file. toml++ reads it; nothing else of this room knows toml++.
//
// Promise: any text gives a document or one Error (bad input) with line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/outcome.h"

namespace lanewise {

// Both count from 1; a column counts characters.
struct TextPlace {
  std::uint32_t line = 1, column = 1;
  friend auto operator<=>(const TextPlace&, const TextPlace&) = default;  // NOLINT(modernize-use-nullptr): in what the compiler writes
};

// A value of a document, or a table or an array of them.
struct Node {
  enum class Kind : std::uint8_t { kTable, kArray, kString, kInteger, kFloat, kBool, kOther };
  Kind kind = Kind::kOther;
  TextPlace at{};
  std::string text{};         // kString
  std::int64_t integer = 0;   // kInteger, kBool
  double number = 0;          // kFloat
  std::vector<Node> items{};  // kArray; kTable: the values of `keys`
  std::vector<std::string> keys{};
  std::vector<TextPlace> keyPlaces{};

  // nullptr if a table has no such key.
  const Node* find(std::string_view key) const;
};
// "a table", "a string", ...
const char* nodeKindName(Node::Kind kind);

Expected<Node> readDocument(const std::string& file, std::string_view text);

// Bad input at a place of the file: "mine.toml:3:7".
Error badPlace(const std::string& file, TextPlace at, std::string what, std::string hint = "");
// An error of what the file names, with the place where it does.
Error namedAt(Error error, const std::string& file, TextPlace at);

}  // namespace lanewise
