#include "tools/described/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#if __has_include(<toml++/toml.h>)
#include <toml++/toml.h>
#else
#include <toml++/toml.hpp>
#endif

namespace lanewise {
namespace {

TextPlace placeOf(const toml::source_region& source) {
  return {static_cast<std::uint32_t>(source.begin.line), static_cast<std::uint32_t>(source.begin.column)};
}

Node nodeOf(const toml::node& from);

// In the order of the file: toml++ sorts keys by name.
void addEntries(const toml::table& table, Node& into) {
  std::vector<std::pair<TextPlace, std::pair<std::string, const toml::node*>>> entries;
  for (const auto& [key, value] : table) {
    const TextPlace at = placeOf(key.source());
    entries.push_back({at, {std::string(key.str()), &value}});
  }
  std::ranges::stable_sort(entries, {}, [](const auto& entry) { return entry.first; });
  for (const auto& [at, entry] : entries) {
    into.keys.push_back(entry.first);
    into.keyPlaces.push_back(at);
    into.items.push_back(nodeOf(*entry.second));
  }
}

Node nodeOf(const toml::node& from) {
  Node node;
  node.at = placeOf(from.source());
  if (const toml::table* table = from.as_table()) {
    node.kind = Node::Kind::kTable;
    addEntries(*table, node);
  } else if (const toml::array* array = from.as_array()) {
    node.kind = Node::Kind::kArray;
    for (const toml::node& item : *array) node.items.push_back(nodeOf(item));
  } else if (const auto* text = from.as_string()) {
    node.kind = Node::Kind::kString;
    node.text = text->get();
  } else if (const auto* integer = from.as_integer()) {
    node.kind = Node::Kind::kInteger;
    node.integer = integer->get();
  } else if (const auto* number = from.as_floating_point()) {
    node.kind = Node::Kind::kFloat;
    node.number = number->get();
  } else if (const auto* truth = from.as_boolean()) {
    node.kind = Node::Kind::kBool;
    node.integer = truth->get() ? 1 : 0;
  }
  return node;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

const char* nodeKindName(Node::Kind kind) {
  constexpr const char* kNames[] = {"a table", "an array", "a string", "an integer", "a float", "true or false", "a date or a time"};
  return kNames[static_cast<std::size_t>(kind)];
}

Error badPlace(const std::string& file, TextPlace at, std::string what, std::string hint) {
  return {Outcome::kBadInput, std::move(what), fmt::format("{}:{}:{}", file, at.line, at.column), std::move(hint)};
}

Expected<Node> readDocument(const std::string& file, std::string_view text) {
  const toml::parse_result result = toml::parse(text, file);
  if (!result) {
    const toml::parse_error& error = result.error();
    return badPlace(file, placeOf(error.source()), std::string(error.description()), "this is TOML 1.0 (toml.io)");
  }
  return nodeOf(result.table());
}

}  // namespace lanewise
