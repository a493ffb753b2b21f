#include "tools/described/key_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/nearest_name.h"
#include "tools/described/keys.h"

namespace lanewise {

KeyReader::KeyReader(const Node& table, const char* pattern, FirstError& errors, const FormulaScope* scope)
    : table_(table), errors_(errors), scope_(scope) {
  if (table.kind != Node::Kind::kTable) {
    errors.add(table.at, fmt::format("{} where a table is meant", nodeKindName(table.kind)));
    return;
  }
  std::vector<std::string> known;
  for (const KeyRow& row : descriptionKeys())
    if (std::string_view(row.table) == pattern) known.emplace_back(row.key);
  if (std::ranges::find(known, kAnyKey) != known.end()) return;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    if (std::ranges::find(known, table.keys[i]) != known.end()) continue;
    const std::string nearest = nearestName(table.keys[i], known, table.keys[i].size() / 3 + 1);
    errors.add(table.keyPlaces[i], fmt::format("unknown key '{}'", table.keys[i]),
               nearest.empty() ? fmt::format("there are {}", fmt::join(known, ", ")) : fmt::format("is '{}' meant?", nearest));
  }
}

const Node* KeyReader::get(std::string_view key, Node::Kind kind) const {
  const Node* node = table_.find(key);
  if (node == nullptr || node->kind == kind) return node;
  errors_.add(node->at, fmt::format("'{}' is {}, and {} is meant", key, nodeKindName(node->kind), nodeKindName(kind)));
  return nullptr;
}

std::string KeyReader::text(std::string_view key, std::string fallback) const {
  const Node* node = get(key, Node::Kind::kString);
  return node ? node->text : fallback;
}

PlacedText KeyReader::placed(std::string_view key) const {
  const Node* node = get(key, Node::Kind::kString);
  return node ? PlacedText{node->text, node->at} : PlacedText{"", table_.at};
}

bool KeyReader::truth(std::string_view key, bool fallback) const {
  const Node* node = get(key, Node::Kind::kBool);
  return node ? node->integer != 0 : fallback;
}

std::int64_t KeyReader::integer(std::string_view key, std::int64_t fallback, std::int64_t least, std::int64_t greatest) const {
  const Node* node = get(key, Node::Kind::kInteger);
  if (node == nullptr) return fallback;
  if (node->integer >= least && node->integer <= greatest) return node->integer;
  errors_.add(node->at, fmt::format("'{}' is {}", key, node->integer), fmt::format("from {} to {}", least, greatest));
  return fallback;
}

double KeyReader::number(std::string_view key, double fallback) const {
  const Node* node = table_.find(key);
  if (node == nullptr) return fallback;
  const bool real = node->kind == Node::Kind::kFloat;
  const double value = real ? node->number : static_cast<double>(node->integer);
  if ((real || node->kind == Node::Kind::kInteger) && value >= 0 && value <= 1e300) return value;
  errors_.add(node->at, fmt::format("'{}' is no number of at least 0", key));
  return fallback;
}

std::vector<PlacedText> KeyReader::texts(std::string_view key) const {
  std::vector<PlacedText> out;
  const Node* node = get(key, Node::Kind::kArray);
  if (node == nullptr) return out;
  for (const Node& item : node->items) {
    if (item.kind != Node::Kind::kString) errors_.add(item.at, fmt::format("{} where a string is meant", nodeKindName(item.kind)));
    out.push_back({item.text, item.at});
  }
  return out;
}

std::vector<std::string> KeyReader::plainTexts(std::string_view key) const {
  std::vector<std::string> out;
  for (PlacedText& one : texts(key)) out.push_back(std::move(one.text));
  return out;
}

std::optional<Formula> KeyReader::maybeFormula(std::string_view key) const {
  const Node* node = table_.find(key);
  if (node == nullptr || scope_ == nullptr) return {};
  Expected<Formula> formula = Formula::parse(*node, *scope_);
  if (formula) return std::move(*formula);
  errors_.add(formula.error());
  return {};
}

Formula KeyReader::formula(std::string_view key, std::int64_t fallback) const {
  std::optional<Formula> formula = maybeFormula(key);
  return formula ? std::move(*formula) : Formula(fallback);
}

std::vector<Formula> KeyReader::formulas(std::string_view key, std::size_t most) const {
  const Node* node = table_.find(key);
  return node ? formulasOf(*node, most) : std::vector<Formula>();
}

std::vector<Formula> KeyReader::formulasOf(const Node& node, std::size_t most) const {
  std::vector<Formula> out;
  const std::span<const Node> items = node.kind == Node::Kind::kArray ? std::span<const Node>(node.items) : std::span(&node, 1);
  if (items.size() > most) errors_.add(node.at, fmt::format("{} formulas, where at most {} are meant", items.size(), most));
  for (const Node& item : items) {
    Expected<Formula> formula = Formula::parse(item, *scope_);
    if (!formula) {
      errors_.add(formula.error());
      return {};
    }
    out.push_back(std::move(*formula));
  }
  return out;
}

void KeyReader::each(std::string_view key, const std::function<void(const std::string&, TextPlace, const Node&)>& use) const {
  const Node* node = get(key, Node::Kind::kTable);
  for (std::size_t i = 0; node != nullptr && i < node->keys.size(); ++i) use(node->keys[i], node->keyPlaces[i], node->items[i]);
}

}  // namespace lanewise
