// Formulas of descriptions: values, precedence, and errors with their place.
#include <gmock/gmock.h>

#include "tools/described/formula.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

const FormulaScope kScope{"mine.toml", {{"width"}, {"height"}, {"edge", {"clamp", "mirror"}}, {"i"}}};
constexpr std::int64_t kValues[] = {33, 65, 1, 4};

Expected<Number> valueOf(const std::string& text) {
  const Expected<Formula> formula = Formula::parse(text, {3, 10}, kScope);
  if (!formula) return formula.error();
  return formula->evaluate(kValues);
}
std::int64_t whole(const std::string& text) {
  const Expected<Number> value = valueOf(text);
  EXPECT_TRUE(value && !value->isFloat) << text << ": " << (value ? "a float" : value.error().text());
  return value ? value->integer : -1;
}
std::string error(const std::string& text) {
  const Expected<Number> value = valueOf(text);
  return value ? "none" : value.error().text();
}

TEST(Formula, OperatorsHaveThePrecedenceOfC) {
  EXPECT_EQ(whole("2 + 3 * 4"), 14);
  EXPECT_EQ(whole("(2 + 3) * 4"), 20);
  EXPECT_EQ(whole("7 - 3 - 2"), 2) << "from the left";
  EXPECT_EQ(whole("1 << 2 + 1"), 8);
  EXPECT_EQ(whole("6 & 3 == 3"), 0) << "as in C: 6 & (3 == 3)";
  EXPECT_EQ(whole("1 | 6 ^ 2 & 3"), 1 | (6 ^ (2 & 3)));
  EXPECT_EQ(whole("-7 / 2"), -3) << "towards zero";
  EXPECT_EQ(whole("-7 % 3"), -1);
  EXPECT_EQ(whole("!0 + ~0"), 0);
  EXPECT_EQ(whole("- - 5"), 5);
  EXPECT_EQ(whole("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(whole("width > 32 && height <= 65 || 0"), 1);
  EXPECT_EQ(whole("0x1F"), 31);
}

TEST(Formula, NamesChoicesAndFunctions) {
  EXPECT_EQ(whole("ceil_div(width, 16)"), 3);
  EXPECT_EQ(whole("ceil_div(32, 16)"), 2) << "no more where it divides";
  EXPECT_EQ(whole("edge == 'mirror' ? width : height"), 33);
  EXPECT_EQ(whole("edge == 'clamp'"), 0);
  EXPECT_EQ(whole("max(width, height, 7) + min(3, i)"), 68);
  EXPECT_EQ(whole("levels(width, height)"), 7);
  EXPECT_EQ(whole("levels(1, 1)"), 1);
  EXPECT_EQ(whole("bits(255) * 100 + bits(256)"), 809);
  EXPECT_EQ(whole("align(17, 16)"), 32);
  EXPECT_EQ(whole("round(2.5) + floor(2.9) + ceil(2.1)"), 7);
  EXPECT_DOUBLE_EQ(valueOf("1.0 / (2 * i)")->real, 0.125);
  EXPECT_DOUBLE_EQ(valueOf("sqrt(2)")->real, std::sqrt(2.0));
  EXPECT_EQ(whole("i == 4 ? 1 : 1 / 0"), 1) << "the other side is not evaluated";
}

TEST(Formula, ErrorsHaveLineAndColumn) {
  EXPECT_THAT(error("width + heigth"),
              testing::AllOf(HasSubstr("there is no parameter 'heigth'"), HasSubstr("mine.toml:3:18"), HasSubstr("width, height")));
  EXPECT_THAT(error("edge == 'zero'"), HasSubstr("no parameter has the choice 'zero'"));
  EXPECT_THAT(error("ceil(1, 2)"), HasSubstr("2 arguments for ceil(x)"));
  EXPECT_THAT(error("half(1)"), HasSubstr("there is no function 'half'"));
  EXPECT_THAT(error("(width"), HasSubstr("a ')' is missing"));
  EXPECT_THAT(error("width height"), HasSubstr("'height' is not expected here"));
  EXPECT_THAT(error(""), HasSubstr("an empty formula"));
  EXPECT_THAT(error("1 / (width - 33)"), HasSubstr("a division by 0"));
  EXPECT_THAT(error("1 << 64"), HasSubstr("a shift"));
  EXPECT_THAT(error("0x7FFFFFFFFFFFFFFF + 1"), HasSubstr("more than 64 bits"));
  EXPECT_EQ(whole("0x7FFFFFFFFFFFFFFF"), 0x7FFFFFFFFFFFFFFF) << "the greatest";
  EXPECT_THAT(error("99999999999999999999"), HasSubstr("no number of 64 bits"));
  EXPECT_THAT(error("1.5 & 1"), HasSubstr("floats do not have"));
  EXPECT_THAT(error(std::string(200, '(')), HasSubstr("nest too deeply"));
}

TEST(Formula, CountsAreIntegersInTheirRange) {
  const auto count = [](const std::string& text) { return Formula::parse(text, {1, 1}, kScope)->count(kValues, "groups", 1, 100); };
  EXPECT_EQ(*count("width * 3"), 99u);
  EXPECT_THAT(count("width * 4").error().text(), testing::AllOf(HasSubstr("groups: 'width * 4' is 132"), HasSubstr("from 1 to 100")));
  EXPECT_THAT(count("width - 40").error().text(), HasSubstr("is -7"));
  EXPECT_THAT(count("width / 2.0").error().text(), HasSubstr("int(x) makes an integer"));
}

}  // namespace
}  // namespace lanewise
