#include "tools/described/formula.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace lanewise {
namespace {

using Operation = Formula::Operation;
using Numbers = std::span<const Number>;

constexpr std::size_t kDeepest = 100;  // brackets inside of one another
constexpr std::size_t kMostOperations = 1000;

Number integerNumber(std::int64_t value) {
  return {false, value, 0};
}
Number realNumber(double value) {
  return {true, 0, value};
}

// Nothing where an operation has no result: `says` why.
using Result = std::optional<Number>;

Result fromWide(__int128 value, const char*& says) {
  if (value < std::numeric_limits<std::int64_t>::min() || value > std::numeric_limits<std::int64_t>::max()) {
    says = "a number of more than 64 bits";
    return {};
  }
  return integerNumber(static_cast<std::int64_t>(value));
}

struct BinaryRow {
  const char* text;
  int precedence;
  Result (*integers)(std::int64_t, std::int64_t, const char*& says);
  double (*reals)(double, double);  // nullptr: only for integers
  bool compares = false;            // its result is 1 or 0
};

template <class T>
Result refusedZero(T divisor, const char*& says) {
  if (divisor == 0) says = "a division by 0";
  return {};
}

// Longer operators come before those that they begin with.
constexpr BinaryRow kBinary[] = {
    {"||", 1, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a != 0 || b != 0); }, nullptr},
    {"&&", 2, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a != 0 && b != 0); }, nullptr},
    {"==", 6, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a == b); },
     [](double a, double b) { return a == b ? 1.0 : 0.0; }, true},
    {"!=", 6, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a != b); },
     [](double a, double b) { return a != b ? 1.0 : 0.0; }, true},
    {"<=", 7, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a <= b); },
     [](double a, double b) { return a <= b ? 1.0 : 0.0; }, true},
    {">=", 7, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a >= b); },
     [](double a, double b) { return a >= b ? 1.0 : 0.0; }, true},
    {"<<", 8,
     [](std::int64_t a, std::int64_t b, const char*& says) -> Result {
       if (b < 0 || b > 63) {
         says = "a shift by less than 0 or more than 63";
         return {};
       }
       return fromWide(static_cast<__int128>(a) * (static_cast<__int128>(1) << b), says);
     },
     nullptr},
    {">>", 8,
     [](std::int64_t a, std::int64_t b, const char*& says) -> Result {
       if (b < 0 || b > 63) {
         says = "a shift by less than 0 or more than 63";
         return {};
       }
       return integerNumber(a >> b);
     },
     nullptr},
    {"<", 7, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a < b); },
     [](double a, double b) { return a < b ? 1.0 : 0.0; }, true},
    {">", 7, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a > b); },
     [](double a, double b) { return a > b ? 1.0 : 0.0; }, true},
    {"|", 3, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a | b); }, nullptr},
    {"^", 4, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a ^ b); }, nullptr},
    {"&", 5, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a & b); }, nullptr},
    {"+", 9, [](std::int64_t a, std::int64_t b, const char*& says) { return fromWide(static_cast<__int128>(a) + b, says); },
     [](double a, double b) { return a + b; }},
    {"-", 9, [](std::int64_t a, std::int64_t b, const char*& says) { return fromWide(static_cast<__int128>(a) - b, says); },
     [](double a, double b) { return a - b; }},
    {"*", 10, [](std::int64_t a, std::int64_t b, const char*& says) { return fromWide(static_cast<__int128>(a) * b, says); },
     [](double a, double b) { return a * b; }},
    {"/", 10,
     [](std::int64_t a, std::int64_t b, const char*& says) {
       return b == 0 ? refusedZero(b, says) : fromWide(static_cast<__int128>(a) / b, says);
     },
     [](double a, double b) { return a / b; }},
    {"%", 10,
     [](std::int64_t a, std::int64_t b, const char*& says) {
       return b == 0 ? refusedZero(b, says) : fromWide(static_cast<__int128>(a) % b, says);
     },
     nullptr},
};

struct FunctionRow {
  const char* name;
  const char* parameters;
  std::size_t least, most;  // arguments
  Result (*apply)(Numbers, const char*& says);
};

template <double (*kFunction)(double)>
Result ofReal(Numbers n, const char*&) {
  return realNumber(kFunction(n[0].asDouble()));
}

// An integer where the number is one.
template <double (*kFunction)(double)>
Result toWhole(Numbers n, const char*& says) {
  if (!n[0].isFloat) return n[0];
  const double whole = kFunction(n[0].real);
  if (!(std::abs(whole) < 0x1p62)) {
    says = "a float that is no integer of 64 bits";
    return {};
  }
  return integerNumber(static_cast<std::int64_t>(whole));
}

template <bool kGreatest>
Result extreme(Numbers n, const char*&) {
  Number best = n[0];
  for (const Number& other : n.subspan(1)) {
    const bool both = !best.isFloat && !other.isFloat;
    const bool greater = both ? other.integer > best.integer : other.asDouble() > best.asDouble();
    const bool less = both ? other.integer < best.integer : other.asDouble() < best.asDouble();
    if (kGreatest ? greater : less) best = other;
  }
  return best;
}

double sqrtOf(double x) {
  return std::sqrt(x);
}
double log2Of(double x) {
  return std::log2(x);
}
double exp2Of(double x) {
  return std::exp2(x);
}
double sinOf(double x) {
  return std::sin(x);
}
double cosOf(double x) {
  return std::cos(x);
}
double floorOf(double x) {
  return std::floor(x);
}
double ceilOf(double x) {
  return std::ceil(x);
}
double roundOf(double x) {
  return std::nearbyint(x);
}
double truncOf(double x) {
  return std::trunc(x);
}

bool whole(Numbers n, const char*& says) {
  for (const Number& one : n)
    if (one.isFloat) says = "a float where an integer is meant: int(x) makes one";
  return says == nullptr;
}

constexpr FunctionRow kFunctions[] = {
    {"min", "a, b, ..", 2, 16, extreme<false>},
    {"max", "a, b, ..", 2, 16, extreme<true>},
    {"abs", "x", 1, 1,
     [](Numbers n, const char*& says) -> Result {
       if (n[0].isFloat) return realNumber(std::abs(n[0].real));
       return fromWide(n[0].integer < 0 ? -static_cast<__int128>(n[0].integer) : n[0].integer, says);
     }},
    {"ceil_div", "n, d", 2, 2,
     [](Numbers n, const char*& says) -> Result {
       if (!whole(n, says)) return {};
       const __int128 a = n[0].integer, b = n[1].integer;
       if (b == 0) return refusedZero(b, says);
       return fromWide(a / b + ((a % b != 0) && ((a < 0) == (b < 0)) ? 1 : 0), says);
     }},
    {"align", "n, step", 2, 2,
     [](Numbers n, const char*& says) -> Result {
       if (!whole(n, says)) return {};
       const __int128 a = n[0].integer, b = n[1].integer;
       if (b <= 0) {
         says = "a step of less than 1";
         return {};
       }
       return fromWide((a + b - 1) / b * b, says);
     }},
    {"bits", "n", 1, 1,
     [](Numbers n, const char*& says) -> Result {
       if (!whole(n, says)) return {};
       return integerNumber(n[0].integer < 0 ? 64 : std::bit_width(static_cast<std::uint64_t>(n[0].integer)));
     }},
    {"levels", "w, h, ..", 1, 3,
     [](Numbers n, const char*& says) -> Result {
       if (!whole(n, says)) return {};
       std::int64_t greatest = 1;
       for (const Number& side : n) greatest = std::max(greatest, side.integer);
       return integerNumber(std::bit_width(static_cast<std::uint64_t>(greatest)));
     }},
    {"int", "x", 1, 1, toWhole<truncOf>},
    {"float", "x", 1, 1, [](Numbers n, const char*&) -> Result { return realNumber(n[0].asDouble()); }},
    {"floor", "x", 1, 1, toWhole<floorOf>},
    {"ceil", "x", 1, 1, toWhole<ceilOf>},
    {"round", "x", 1, 1, toWhole<roundOf>},
    {"sqrt", "x", 1, 1, ofReal<sqrtOf>},
    {"log2", "x", 1, 1, ofReal<log2Of>},
    {"exp2", "x", 1, 1, ofReal<exp2Of>},
    {"sin", "x", 1, 1, ofReal<sinOf>},
    {"cos", "x", 1, 1, ofReal<cosOf>},
    {"pow", "x, y", 2, 2, [](Numbers n, const char*&) -> Result { return realNumber(std::pow(n[0].asDouble(), n[1].asDouble())); }},
};

std::string namesText(const FormulaScope& scope) {
  std::string out;
  for (const auto& name : scope.names) out += (out.empty() ? "" : ", ") + name.name;
  return out;
}

class Parser {
 public:
  Parser(std::string_view text, TextPlace at, const FormulaScope& scope) : text_(text), at_(at), scope_(scope) {}

  Expected<std::vector<Operation>> run() {
    const std::optional<std::uint32_t> root = selection();
    skipSpaces();
    if (root && place_ < text_.size()) fail(fmt::format("'{}' is not expected here", text_.substr(place_, 12)), "");
    if (error_) return *error_;
    return std::move(nodes_);
  }

 private:
  void fail(std::string what, std::string hint) {
    if (error_) return;
    TextPlace at = at_;
    at.column += static_cast<std::uint32_t>(place_);
    error_ = badPlace(scope_.file, at, std::move(what), std::move(hint));
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
    if (nodes_.size() >= kMostOperations) {
      fail("too long a formula", "");
      return {};
    }
    node.column = static_cast<std::uint32_t>(std::min(place_, text_.size()));
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::optional<std::uint32_t> selection() {
    if (depth_ >= kDeepest) {
      fail("brackets nest too deeply", "");
      return {};
    }
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
    for (std::size_t i = 0; i < std::size(kBinary); ++i)
      if (text_.substr(place_).starts_with(kBinary[i].text)) {
        if (kBinary[i].precedence < least) return {};
        place_ += std::string_view(kBinary[i].text).size();
        return i;
      }
    return {};
  }

  std::optional<std::uint32_t> binary(int least) {
    std::optional<std::uint32_t> left = unary();
    while (left) {
      const std::optional<std::size_t> row = takeBinary(least);
      if (!row) break;
      const auto right = binary(kBinary[*row].precedence + 1);
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
    if (place_ >= text_.size()) {
      fail(text_.empty() ? "an empty formula" : "the formula ends too early", "");
      return {};
    }
    const char c = text_[place_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (c == '\'') return choice();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') return name();
    fail(fmt::format("'{}' is not expected here", c), "a number, a name, a function or a bracket");
    return {};
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
    if (read.ec != std::errc()) {
      fail("no number of 64 bits", "");
      return {};
    }
    place_ += static_cast<std::size_t>(read.ptr - rest.data());
    return add({.kind = Operation::Kind::kNumber, .number = value});
  }

  // 'mirror': its number among the choices of the parameter that has it.
  std::optional<std::uint32_t> choice() {
    const std::size_t end = text_.find('\'', place_ + 1);
    if (end == std::string_view::npos) {
      fail("a ' is missing", "");
      return {};
    }
    const std::string_view word = text_.substr(place_ + 1, end - place_ - 1);
    std::optional<std::int64_t> found;
    for (const auto& name : scope_.names)
      for (std::size_t i = 0; i < name.choices.size(); ++i) {
        if (name.choices[i] != word) continue;
        if (found && *found != static_cast<std::int64_t>(i)) {
          fail(fmt::format("'{}' is a choice of several parameters, with different numbers", word), "compare with its number");
          return {};
        }
        found = static_cast<std::int64_t>(i);
      }
    if (!found) {
      fail(fmt::format("no parameter has the choice '{}'", word), "");
      return {};
    }
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
    fail(fmt::format("there is no parameter '{}'", word), "there are " + namesText(scope_));
    return {};
  }

  std::optional<std::uint32_t> call(std::string_view word, std::size_t begin) {
    std::size_t row = 0;
    while (row < std::size(kFunctions) && word != kFunctions[row].name) ++row;
    if (row == std::size(kFunctions)) {
      place_ = begin;
      fail(fmt::format("there is no function '{}'", word), "there are " + functionList());
      return {};
    }
    Operation node{.kind = Operation::Kind::kCall, .code = static_cast<std::uint8_t>(row)};
    do {
      const auto argument = selection();
      if (!argument) return {};
      node.operands.push_back(*argument);
    } while (take(","));
    if (!take(")")) {
      fail("a ')' is missing", "");
      return {};
    }
    const FunctionRow& f = kFunctions[row];
    if (node.operands.size() < f.least || node.operands.size() > f.most) {
      place_ = begin;
      fail(fmt::format("{} arguments for {}({})", node.operands.size(), f.name, f.parameters), "");
      return {};
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

Result unaryOf(char code, const Number& n, const char*& says) {
  if (code == '!') return integerNumber(n.asDouble() == 0 ? 1 : 0);
  if (code == '-') return n.isFloat ? Result(realNumber(-n.real)) : fromWide(-static_cast<__int128>(n.integer), says);
  if (n.isFloat) {
    says = "~ of a float";
    return {};
  }
  return integerNumber(~n.integer);
}

Result binaryOf(const BinaryRow& row, const Number& a, const Number& b, const char*& says) {
  if (!a.isFloat && !b.isFloat) return row.integers(a.integer, b.integer, says);
  if (row.reals == nullptr) {
    says = "an operator that floats do not have: int(x) makes an integer";
    return {};
  }
  const double value = row.reals(a.asDouble(), b.asDouble());
  return row.compares ? integerNumber(value != 0) : realNumber(value);
}

}  // namespace

std::string functionList() {
  std::string out;
  for (const FunctionRow& f : kFunctions) out += fmt::format("{}{}({})", out.empty() ? "" : ", ", f.name, f.parameters);
  return out;
}

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

Expected<Formula> Formula::parse(std::string_view text, TextPlace at, const FormulaScope& scope) {
  Expected<std::vector<Operation>> nodes = Parser(text, at, scope).run();
  if (!nodes) return nodes.error();
  Formula out;
  out.file_ = scope.file;
  out.text_ = text;
  out.at_ = at;
  out.nodes_ = std::move(*nodes);
  return out;
}

bool Formula::uses(std::size_t name) const {
  for (const Operation& node : nodes_)
    if (node.kind == Operation::Kind::kName && node.name == name) return true;
  return false;
}

namespace {

// What a node does with its operands. `says` stays nullptr where there is a result.
Result valueOfNode(const Operation& node, Numbers operands, const char*& says) {
  switch (node.kind) {
    case Operation::Kind::kUnary:
      return unaryOf(static_cast<char>(node.code), operands[0], says);
    case Operation::Kind::kBinary:
      return binaryOf(kBinary[node.code], operands[0], operands[1], says);
    case Operation::Kind::kCall:
      return kFunctions[node.code].apply(operands, says);
    default:
      return node.number;
  }
}

class Evaluator {
 public:
  Evaluator(const std::vector<Operation>& nodes, std::span<const std::int64_t> values) : nodes_(nodes), values_(values) {}

  // Only the taken side of a selection is evaluated.
  Result at(std::uint32_t index) {
    const Operation& node = nodes_[index];
    if (node.kind == Operation::Kind::kNumber) return node.number;
    if (node.kind == Operation::Kind::kName) return integerNumber(node.name < values_.size() ? values_[node.name] : 0);
    if (node.kind == Operation::Kind::kSelect) {
      const Result condition = at(node.operands[0]);
      return condition ? at(node.operands[condition->asDouble() != 0 ? 1 : 2]) : Result();
    }
    Number operands[16];
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const Result operand = at(node.operands[i]);
      if (!operand) return {};
      operands[i] = *operand;
    }
    Result value = valueOfNode(node, {operands, node.operands.size()}, says);
    if (!value) column = node.column;
    return value;
  }

  const char* says = nullptr;
  std::uint32_t column = 0;

 private:
  const std::vector<Operation>& nodes_;
  std::span<const std::int64_t> values_;
};

}  // namespace

Expected<Number> Formula::evaluate(std::span<const std::int64_t> values) const {
  Evaluator evaluator(nodes_, values);
  const Result value = evaluator.at(static_cast<std::uint32_t>(nodes_.size() - 1));
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
