#include "tools/described/formula.h"

#include <fmt/format.h>

#include "tools/described/formula_rows.h"

namespace lanewise {

Formula::Formula(std::int64_t value) : text_(std::to_string(value)) {
  nodes_.push_back({.number = integerNumber(value)});
}

Expected<Formula> Formula::parse(const Node& node, const FormulaScope& scope) {
  if (node.kind == Node::Kind::kString) return parse(node.text, {node.at.line, node.at.column + 1}, scope);
  if (node.kind != Node::Kind::kInteger && node.kind != Node::Kind::kFloat && node.kind != Node::Kind::kBool)
    return badPlace(scope.file, node.at, fmt::format("{} where a formula is meant", nodeKindName(node.kind)),
                    "a number, or a formula in quotes: \"ceil_div(width, 16)\"");
  Formula out(node.integer);
  if (node.kind == Node::Kind::kFloat) {
    out.nodes_[0].number = realNumber(node.number);
    out.text_ = fmt::format("{}", node.number);
  }
  out.file_ = scope.file;
  out.at_ = node.at;
  return out;
}

bool Formula::uses(std::size_t name) const {
  for (const Formula::Operation& node : nodes_)
    if (node.kind == Operation::Kind::kName && node.name == name) return true;
  return false;
}

namespace {

using Operation = Formula::Operation;

// What a node does with its operands. `says` stays nullptr where there is a result.
FormulaResult valueOfNode(const Operation& node, std::span<const Number> operands, const char*& says) {
  switch (node.kind) {
    case Operation::Kind::kUnary:
      return unaryOf(static_cast<char>(node.code), operands[0], says);
    case Operation::Kind::kBinary:
      return binaryOf(binaryOperators()[node.code], operands[0], operands[1], says);
    case Operation::Kind::kCall:
      return formulaFunctions()[node.code].apply(operands, says);
    default:
      return node.number;
  }
}

class Evaluator {
 public:
  Evaluator(const std::vector<Operation>& nodes, std::span<const std::int64_t> values) : nodes_(nodes), values_(values) {}

  // Only the taken side of a selection is evaluated.
  FormulaResult at(std::uint32_t index) {
    const Operation& node = nodes_[index];
    if (node.kind == Operation::Kind::kNumber) return node.number;
    if (node.kind == Operation::Kind::kName) return integerNumber(node.name < values_.size() ? values_[node.name] : 0);
    if (node.kind == Operation::Kind::kSelect) {
      const FormulaResult condition = at(node.operands[0]);
      return condition ? at(node.operands[condition->asDouble() != 0 ? 1 : 2]) : FormulaResult();
    }
    return node.operands.size() <= 2 ? with<2>(node) : with<kMostOperands>(node);
  }

  const char* says = nullptr;
  std::uint32_t column = 0;

 private:
  // Most nodes have one or two operands, and more cost more to clear than they do.
  static constexpr std::size_t kMostOperands = 16;
  template <std::size_t most>
  FormulaResult with(const Operation& node) {
    Number operands[most];
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const FormulaResult operand = at(node.operands[i]);
      if (!operand) return {};
      operands[i] = *operand;
    }
    FormulaResult value = valueOfNode(node, {operands, node.operands.size()}, says);
    if (!value) column = node.column;
    return value;
  }

  const std::vector<Operation>& nodes_;
  std::span<const std::int64_t> values_;
};

}  // namespace

Expected<Number> Formula::evaluate(std::span<const std::int64_t> values) const {
  Evaluator evaluator(nodes_, values);
  const FormulaResult value = evaluator.at(static_cast<std::uint32_t>(nodes_.size() - 1));
  if (value) return *value;
  return badPlace(file_, at_, fmt::format("'{}' has no value: {}", text_, evaluator.says ? evaluator.says : "no result"));
}

Expected<std::uint64_t> Formula::count(std::span<const std::int64_t> values, std::string_view what, std::uint64_t least,
                                       std::uint64_t greatest) const {
  const Expected<Number> value = evaluate(values);
  if (!value) return value.error();
  if (value->isFloat)
    return badPlace(file_, at_, fmt::format("{}: '{}' is {}, a float", what, text_, value->real), "int(x) makes an integer");
  if (value->integer < 0 || static_cast<std::uint64_t>(value->integer) < least || static_cast<std::uint64_t>(value->integer) > greatest)
    return badPlace(file_, at_, fmt::format("{}: '{}' is {}", what, text_, value->integer), fmt::format("from {} to {}", least, greatest));
  return static_cast<std::uint64_t>(value->integer);
}

}  // namespace lanewise
