// Reads the keys of one table of a description. The first error is kept; after it all values are the defaults.
#pragma once

#include <functional>

#include "tools/described/description.h"

namespace lanewise {

// The error of a whole description.
class FirstError {
 public:
  explicit FirstError(std::string file) : file_(std::move(file)) {}
  void add(TextPlace at, std::string what, std::string hint = "") { add(badPlace(file_, at, std::move(what), std::move(hint))); }
  void add(Error error) {
    if (!error_) error_ = std::move(error);
  }
  const Status& status() const { return error_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  Status error_;
};

class KeyReader {
 public:
  // `pattern`: the table's name in descriptionKeys(). Unknown keys, and what is no table, are errors.
  KeyReader(const Node& table, const char* pattern, FirstError& errors, const FormulaScope* scope = nullptr);

  bool has(std::string_view key) const { return table_.find(key) != nullptr; }
  // nullptr if it is missing or of another kind, which is an error.
  const Node* get(std::string_view key, Node::Kind kind) const;
  std::string text(std::string_view key, std::string fallback = "") const;
  PlacedText placed(std::string_view key) const;
  bool truth(std::string_view key, bool fallback) const;
  std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t least, std::int64_t greatest) const;
  // A number of at least 0.
  double number(std::string_view key, double fallback) const;
  std::vector<PlacedText> texts(std::string_view key) const;
  std::vector<std::string> plainTexts(std::string_view key) const;
  Formula formula(std::string_view key, std::int64_t fallback) const;
  std::optional<Formula> maybeFormula(std::string_view key) const;
  // One formula, or an array of at most `most`.
  std::vector<Formula> formulas(std::string_view key, std::size_t most) const;
  std::vector<Formula> formulasOf(const Node& node, std::size_t most) const;
  // Calls use(name, its place, value) for each entry of the table at this key.
  void each(std::string_view key, const std::function<void(const std::string&, TextPlace, const Node&)>& use) const;

  const Node& table() const { return table_; }
  FirstError& errors() const { return errors_; }

 private:
  const Node& table_;
  FirstError& errors_;
  const FormulaScope* scope_;
};

// The parts of a description, in files of their own.
void readResources(const KeyReader& top, Description& into, FirstError& errors);
std::vector<DescribedDispatch> readDispatches(const Node& list, const Description& description, FirstError& errors);
void readReference(const KeyReader& top, Description& into, FirstError& errors);
void readTolerances(const KeyReader& top, Description& into, FirstError& errors);

}  // namespace lanewise
