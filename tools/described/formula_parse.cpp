// A formula from its text. See formula.h.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "tools/described/formula.h"
#include "tools/described/formula_rows.h"

namespace lanewise {
namespace {

using Operation = Formula::Operation;

constexpr std::size_t kDeepest = 100;  // brackets inside of one another
constexpr std::size_t kMostOperations = 1000;

std::string namesText(const FormulaScope& scope) {
  std::string out;
  for (const auto& name : scope.names) out += (out.empty() ? "" : ", ") + name.name;
  return out;
}

class FormulaParser {
 public:
  FormulaParser(std::string_view text, TextPlace at, const FormulaScope& scope) : text_(text), at_(at), scope_(scope) {}

  Expected<std::vector<Operation>> run() {
    const std::optional<std::uint32_t> root = selection();
    skipSpaces();
    if (root && place_ < text_.size()) fail(fmt::format("'{}' is not expected here", text_.substr(place_, 12)), "");
    if (error_) return *error_;
    return std::move(nodes_);
  }

 private:
  // The first is told.
  std::nullopt_t fail(std::string what, std::string hint) {
    if (error_) return std::nullopt;
    TextPlace at = at_;
    at.column += static_cast<std::uint32_t>(place_);
    error_ = badPlace(scope_.file, at, std::move(what), std::move(hint));
    return std::nullopt;
  }

  void skipSpaces() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_])) != 0) ++place_;
  }
  bool take(std::string_view what) {
    skipSpaces();
    if (!text_.substr(place_).starts_with(what)) return false;
    place_ += what.size();
    return true;
  }

  std::optional<std::uint32_t> add(Operation node) {
    if (nodes_.size() >= kMostOperations) return fail("too long a formula", "");
    node.column = static_cast<std::uint32_t>(std::min(place_, text_.size()));
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::optional<std::uint32_t> selection() {
    if (depth_ >= kDeepest) return fail("brackets nest too deeply", "");
    ++depth_;
    std::optional<std::uint32_t> value = binary(1);
    if (value && take("?")) {
      const auto yes = selection();
      if (yes && !take(":")) fail("a ':' is missing", "CONDITION ? A : B");
      const auto no = error_ ? std::nullopt : selection();
      value = yes && no ? add({.kind = Operation::Kind::kSelect, .operands = {*value, *yes, *no}}) : std::nullopt;
    }
    --depth_;
    return value;
  }

  std::optional<std::size_t> takeBinary(int least) {
    skipSpaces();
    const std::span<const BinaryOperator> all = binaryOperators();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (text_.substr(place_).starts_with(all[i].text)) {
        if (all[i].precedence < least) return {};
        place_ += std::string_view(all[i].text).size();
        return i;
      }
    return {};
  }

  std::optional<std::uint32_t> binary(int least) {
    std::optional<std::uint32_t> left = unary();
    while (left) {
      const std::optional<std::size_t> row = takeBinary(least);
      if (!row) break;
      const auto right = binary(binaryOperators()[*row].precedence + 1);
      if (!right) return {};
      left = add({.kind = Operation::Kind::kBinary, .code = static_cast<std::uint8_t>(*row), .operands = {*left, *right}});
    }
    return left;
  }

  std::optional<std::uint32_t> unary() {
    skipSpaces();
    std::string prefixes;
    while (place_ < text_.size() && std::string_view("-!~").find(text_[place_]) != std::string_view::npos && prefixes.size() < kDeepest) {
      prefixes += text_[place_++];
      skipSpaces();
    }
    std::optional<std::uint32_t> value = primary();
    for (auto c = prefixes.rbegin(); value && c != prefixes.rend(); ++c)
      value = add({.kind = Operation::Kind::kUnary, .code = static_cast<std::uint8_t>(*c), .operands = {*value}});
    return value;
  }

  std::optional<std::uint32_t> primary() {
    if (take("(")) {
      const auto inner = selection();
      if (inner && !take(")")) fail("a ')' is missing", "");
      return error_ ? std::nullopt : inner;
    }
    skipSpaces();
    if (place_ >= text_.size()) return fail(text_.empty() ? "an empty formula" : "the formula ends too early", "");
    const char c = text_[place_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (c == '\'') return choice();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') return name();
    return fail(fmt::format("'{}' is not expected here", c), "a number, a name, a function or a bracket");
  }

  std::optional<std::uint32_t> number() {
    const std::string_view rest = text_.substr(place_);
    Number value;
    std::from_chars_result read{};
    if (rest.starts_with("0x") || rest.starts_with("0X")) {
      read = std::from_chars(rest.data() + 2, rest.data() + rest.size(), value.integer, 16);
    } else {
      read = std::from_chars(rest.data(), rest.data() + rest.size(), value.integer);
      if (read.ptr < rest.data() + rest.size() && std::string_view(".eE").find(*read.ptr) != std::string_view::npos) {
        value.isFloat = true;
        read = std::from_chars(rest.data(), rest.data() + rest.size(), value.real);
      }
    }
    if (read.ec != std::errc()) return fail("no number of 64 bits", "");
    place_ += static_cast<std::size_t>(read.ptr - rest.data());
    return add({.kind = Operation::Kind::kNumber, .number = value});
  }

  // 'mirror': its number among the choices of the parameter that has it.
  std::optional<std::uint32_t> choice() {
    const std::size_t end = text_.find('\'', place_ + 1);
    if (end == std::string_view::npos) return fail("a ' is missing", "");
    const std::string_view word = text_.substr(place_ + 1, end - place_ - 1);
    std::optional<std::int64_t> found;
    for (const auto& name : scope_.names)
      for (std::size_t i = 0; i < name.choices.size(); ++i) {
        if (name.choices[i] != word) continue;
        if (found && *found != static_cast<std::int64_t>(i))
          return fail(fmt::format("'{}' is a choice of several parameters, with different numbers", word), "compare with its number");
        found = static_cast<std::int64_t>(i);
      }
    if (!found) return fail(fmt::format("no parameter has the choice '{}'", word), "");
    place_ = end + 1;
    return add({.kind = Operation::Kind::kNumber, .number = integerNumber(*found)});
  }

  std::optional<std::uint32_t> name() {
    const std::size_t begin = place_;
    while (place_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[place_])) != 0 || text_[place_] == '_')) ++place_;
    const std::string_view word = text_.substr(begin, place_ - begin);
    if (take("(")) return call(word, begin);
    for (std::size_t i = 0; i < scope_.names.size(); ++i)
      if (scope_.names[i].name == word) return add({.kind = Operation::Kind::kName, .name = i});
    place_ = begin;
    return fail(fmt::format("there is no parameter '{}'", word), "there are " + namesText(scope_));
  }

  std::optional<std::uint32_t> call(std::string_view word, std::size_t begin) {
    const std::span<const FormulaFunction> all = formulaFunctions();
    const auto found = std::ranges::find(all, word, &FormulaFunction::name);
    if (found == all.end()) {
      place_ = begin;
      return fail(fmt::format("there is no function '{}'", word), "there are " + functionList());
    }
    Operation node{.kind = Operation::Kind::kCall, .code = static_cast<std::uint8_t>(found - all.begin())};
    do {
      const auto argument = selection();
      if (!argument) return {};
      node.operands.push_back(*argument);
    } while (take(","));
    if (!take(")")) return fail("a ')' is missing", "");
    if (node.operands.size() < found->least || node.operands.size() > found->most) {
      place_ = begin;
      return fail(fmt::format("{} arguments for {}({})", node.operands.size(), found->name, found->parameters), "");
    }
    return add(std::move(node));
  }

  std::string_view text_;
  TextPlace at_;
  const FormulaScope& scope_;
  std::size_t place_ = 0, depth_ = 0;
  std::vector<Operation> nodes_;
  std::optional<Error> error_;
};

}  // namespace

Expected<Formula> Formula::parse(std::string_view text, TextPlace at, const FormulaScope& scope) {
  Expected<std::vector<Operation>> nodes = FormulaParser(text, at, scope).run();
  if (!nodes) return nodes.error();
  Formula out;
  out.file_ = scope.file;
  out.text_ = text;
  out.at_ = at;
  out.nodes_ = std::move(*nodes);
  return out;
}

}  // namespace lanewise
