#include "model/debug/expression.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>

namespace lanewise::debug {
namespace {

constexpr std::uint32_t kMaxDepth = 200;

struct BinaryOperator {
  std::string_view text;
  Operator op;
  int precedence;
};
// Longer operators come before those that they begin with.
constexpr BinaryOperator kBinaryOperators[] = {
    {"||", Operator::kEither, 1},    {"&&", Operator::kBoth, 2},       {"==", Operator::kEqual, 6},     {"!=", Operator::kUnequal, 6},
    {"<<", Operator::kShiftLeft, 8}, {">>", Operator::kShiftRight, 8}, {"<=", Operator::kLessEqual, 7}, {">=", Operator::kGreaterEqual, 7},
    {"<", Operator::kLess, 7},       {">", Operator::kGreater, 7},     {"|", Operator::kOr, 3},         {"^", Operator::kXor, 4},
    {"&", Operator::kAnd, 5},        {"+", Operator::kAdd, 9},         {"-", Operator::kSubtract, 9},   {"*", Operator::kMultiply, 10},
    {"/", Operator::kDivide, 10},    {"%", Operator::kRemainder, 10}};

struct UnaryOperator {
  std::string_view text;
  Operator op;
};
constexpr UnaryOperator kUnaryOperators[] = {
    {"-", Operator::kSubtract}, {"+", Operator::kAdd}, {"!", Operator::kNot}, {"~", Operator::kComplement}};

bool beginsName(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '@';
}
bool isInName(char c) {
  return beginsName(c) || std::isdigit(static_cast<unsigned char>(c));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expected<Expression> whole() {
    Expression e = choice();
    skip();
    if (!error_ && at_ < text_.size()) fail(fmt::format("'{}' is not expected here", text_.substr(at_, 1)));
    if (error_) return *error_;
    return e;
  }

 private:
  using Kind = Expression::Kind;

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void fail(std::string what) { fail(std::move(what), at_); }
  void fail(std::string what, std::size_t at) {
    if (!error_) error_ = Error{Outcome::kBadInput, std::move(what), fmt::format("column {}", at + 1), ""};
    at_ = text_.size();
  }
  void expect(std::string_view token) {
    if (!take(token) && !error_) fail(fmt::format("'{}' is missing", token));
  }
  static Expression node(Kind kind, std::size_t at, std::string_view text, std::vector<Expression> parts) {
    Expression e;
    e.kind = kind;
    e.column = at + 1;
    e.text = text;
    e.parts = std::move(parts);
    return e;
  }
  static std::vector<Expression> list(Expression a) {
    std::vector<Expression> out;
    out.push_back(std::move(a));
    return out;
  }

  Expression choice() {
    if (++depth_ > kMaxDepth) fail("the expression nests too deep");
    Expression e = binary(1);
    skip();
    if (const std::size_t at = at_; !error_ && take("?")) {
      std::vector<Expression> parts = list(std::move(e));
      parts.push_back(choice());
      expect(":");
      parts.push_back(choice());
      e = node(Kind::kChoice, at, "?", std::move(parts));
    }
    --depth_;
    return e;
  }

  const BinaryOperator* operatorHere() {
    skip();
    for (const BinaryOperator& o : kBinaryOperators)
      if (text_.substr(at_).starts_with(o.text)) return &o;
    return nullptr;
  }

  Expression binary(int least) {
    Expression left = unary();
    for (const BinaryOperator* o = operatorHere(); !error_ && o && o->precedence >= least; o = operatorHere()) {
      const std::size_t at = at_;
      at_ += o->text.size();
      std::vector<Expression> parts = list(std::move(left));
      parts.push_back(binary(o->precedence + 1));
      left = node(Kind::kBinary, at, o->text, std::move(parts));
      left.op = o->op;
    }
    return left;
  }

  Expression unary() {
    skip();
    if (++depth_ > kMaxDepth) fail("the expression nests too deep");
    const std::size_t at = at_;
    Expression e;
    bool found = false;
    for (const UnaryOperator& o : kUnaryOperators)
      if (!found && take(o.text)) {
        e = node(Kind::kUnary, at, o.text, list(unary()));
        e.op = o.op;
        found = true;
      }
    if (!found) e = postfix(primary());
    --depth_;
    return e;
  }

  Expression postfix(Expression e) {
    for (;;) {
      skip();
      const std::size_t at = at_;
      if (take("[")) {
        std::vector<Expression> parts = list(std::move(e));
        do parts.push_back(choice());
        while (!error_ && take(","));
        expect("]");
        e = node(Kind::kIndex, at, "[", std::move(parts));
      } else if (take(".")) {
        const std::string_view member = name();
        if (member.empty() && !error_) fail("a member's name is missing");
        e = node(Kind::kMember, at, member, list(std::move(e)));
      } else {
        return e;
      }
      if (error_) return e;
    }
  }

  std::string_view name() {
    skip();
    const std::size_t begin = at_;
    if (at_ < text_.size() && beginsName(text_[at_]))
      while (at_ < text_.size() && isInName(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Expression primary() {
    skip();
    const std::size_t at = at_;
    if (at_ >= text_.size()) {
      fail("a value is missing");
      return {};
    }
    if (take("(")) {
      Expression e = choice();
      expect(")");
      return e;
    }
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1]))))
      return number();
    if (c == '%') {  // a variable without a name
      ++at_;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
      if (at_ > at + 1) return node(Kind::kName, at, text_.substr(at, at_ - at), {});
      at_ = at;
    }
    const std::string_view word = name();
    if (word.empty()) {
      fail(fmt::format("'{}' begins no value", text_.substr(at_, 1)));
      return {};
    }
    if (word == "true" || word == "false") {
      Expression e = node(Kind::kBool, at, word, {});
      e.bits = word == "true";
      return e;
    }
    if (!take("(")) return node(Kind::kName, at, word, {});
    std::vector<Expression> arguments;
    if (!take(")")) {
      do arguments.push_back(choice());
      while (!error_ && take(","));
      expect(")");
    }
    return node(Kind::kCall, at, word, std::move(arguments));
  }

  bool takeSuffix(char lower) {
    if (at_ >= text_.size() || (text_[at_] != lower && text_[at_] != lower - 'a' + 'A')) return false;
    ++at_;
    return true;
  }

  Expression number() {
    const std::size_t at = at_;
    const bool hex = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    if (hex) at_ += 2;
    const std::size_t digits = at_;
    bool isFloat = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (hex ? std::isxdigit(static_cast<unsigned char>(c)) : std::isdigit(static_cast<unsigned char>(c))) continue;
      const bool sign = (c == '+' || c == '-') && !hex && at_ > digits && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (hex || !(c == '.' || c == 'e' || c == 'E' || sign)) break;
      isFloat = true;
    }
    const std::string word(text_.substr(digits, at_ - digits));
    Expression e = node(isFloat ? Kind::kFloat : Kind::kInteger, at, "", {});
    if (isFloat) {
      double value = 0;
      const auto [end, bad] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (bad != std::errc{} || end != word.data() + word.size()) fail(fmt::format("'{}' is no number", word), at);
      e.bits = std::bit_cast<std::uint64_t>(value);
      const bool isWide = text_.substr(at_).starts_with("lf") || text_.substr(at_).starts_with("LF");
      if (isWide) ++at_;
      e.isWide = takeSuffix('f') && isWide;
    } else {
      const auto [end, bad] = std::from_chars(word.data(), word.data() + word.size(), e.bits, hex ? 16 : 10);
      if (bad != std::errc{} || end != word.data() + word.size())
        fail(fmt::format("'{}' is no number of 64 bits", text_.substr(at, at_ - at)), at);
      e.isUnsigned = takeSuffix('u');
      e.isWide = takeSuffix('l') || e.bits > 0xffffffff;
      e.isUnsigned = e.isUnsigned || (e.isWide ? e.bits > 0x7fffffffffffffff : e.bits > 0x7fffffff);
    }
    if (!error_ && at_ < text_.size() && isInName(text_[at_])) fail(fmt::format("'{}' does not belong to a number", text_.substr(at_, 1)));
    return e;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  Status error_;
};

}  // namespace

Expected<Expression> parseExpression(std::string_view text) {
  constexpr std::size_t kMost = 4096;
  if (text.size() > kMost) return Error{Outcome::kBadInput, fmt::format("an expression has at most {} characters", kMost), "", ""};
  Expected<Expression> e = Parser(text).whole();
  if (e) e->source = text;
  return e;
}

}  // namespace lanewise::debug
