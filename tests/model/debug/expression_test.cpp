// Expressions: what they give for a lane, and what is wrong with those that give nothing.
#include "tests/model/debug/opened.h"

namespace lanewise::debug {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Lane 2 at line 37 of source_scopes.comp.
class Expressions : public testing::Test {
 protected:
  static Session& at37() {
    static Opened* const opened = [] {
      auto* s = new Opened(programJob("source_scopes.comp"));
      static_cast<void>((*s)->toInvocation({2, 0, 0}));
      while (lineNow(**s) != 37) static_cast<void>((*s)->step(Unit::kLineOver));
      return s;
    }();
    return **opened;
  }
  static std::string is(const std::string& text) { return now(at37(), text); }
  static std::string wrong(const std::string& text) {
    const Expected<Expression> e = parseExpression(text);
    if (!e) return e.error().text();
    const Expected<Value> v = evaluate(*e, *at37().scope({2, 0, 0}));
    return v ? "fine: " + textOf(*v) : v.error().text();
  }
};

TEST_F(Expressions, NumbersAndPrecedence) {
  EXPECT_EQ(is("1 + 2 * 3"), "int 7");
  EXPECT_EQ(is("(1 + 2) * 3"), "int 9");
  EXPECT_EQ(is("7 - 2 - 1"), "int 4");
  EXPECT_EQ(is("-7 / 2"), "int -3");
  EXPECT_EQ(is("7 % 3"), "int 1");
  EXPECT_EQ(is("0x10 | 1 << 3"), "int 24");
  EXPECT_THAT(wrong("6 & 3 == 3"), HasSubstr("not booleans"));  // as in C, == binds tighter
}

TEST_F(Expressions, IntegersWrapAndFloatsAreBinary32) {
  EXPECT_EQ(is("0xffffffffu + 2u"), "uint 1");
  EXPECT_EQ(is("2147483647 + 1"), "int -2147483648");
  EXPECT_EQ(is("-1 < 0u"), "bool false");  // int becomes uint, as in GLSL
  EXPECT_EQ(is("1 / 3.0"), "float 0.33333334");
  EXPECT_EQ(is("1 / 3.0lf"), "double 0.3333333333333333");
  EXPECT_EQ(is("16777216.0 + 1"), "float 16777216");
  EXPECT_EQ(is("5000000000 * 2"), "int64_t 10000000000");
  EXPECT_EQ(is("-1 >> 1"), "int -1");
  EXPECT_EQ(is("0xffffffffu >> 31"), "uint 1");
  EXPECT_EQ(is("~0"), "int -1");
}

TEST_F(Expressions, VariablesTheirPartsAndSwizzles) {
  EXPECT_EQ(is("lane"), "int 2");
  EXPECT_EQ(is("cell"), "ivec2 (2, 7)");
  EXPECT_EQ(is("cell.yx"), "ivec2 (7, 2)");
  EXPECT_EQ(is("cell.g * 2"), "int 14");
  EXPECT_EQ(is("c.at[1]"), "int 7");
  EXPECT_EQ(is("m[1].z"), "float 3");
  EXPECT_EQ(is("row[lane + 1].x"), "float 3");
  EXPECT_EQ(is("row[gl_LocalInvocationIndex]"), "vec2 (2, 7)");
  EXPECT_EQ(is("data[0]"), "int 5");  // of a block without a name
  EXPECT_EQ(is("kBias"), "int 10");
  EXPECT_EQ(is("gl_GlobalInvocationID"), "uvec3 (2, 0, 0)");
}

// The first column of m was never written.
TEST_F(Expressions, MatricesAreMultipliedAndAdded) {
  EXPECT_EQ(is("vec3(0, 1, 2) * m"), "vec2 (?, 8)");
  EXPECT_EQ(is("m * vec2(1, 2)"), "vec3 (?, ?, ?)");
  EXPECT_EQ(is("transpose(m)"), "mat3x2 (?, 1, ?, 2, ?, 3)");
  EXPECT_EQ(is("transpose(m)[2]"), "vec2 (?, 3)");
  EXPECT_EQ(is("(2 * m)[1]"), "vec3 (2, 4, 6)");
  EXPECT_EQ(is("(m / 2.0 + m)[1].y"), "float 3");
  EXPECT_EQ(is("(-m)[1]"), "vec3 (-1, -2, -3)");
  EXPECT_EQ(is("(transpose(m) * m)[1]"), "vec2 (?, 14)");
  EXPECT_EQ(is("(m - m)[1] == vec3(0)"), "bool true");
  EXPECT_EQ(is("m != m"), "bool ?");
  EXPECT_THAT(wrong("m * vec3(1)"), AllOf(HasSubstr("'*' does not take mat2x3 and vec3"), HasSubstr("column 3")));
  EXPECT_THAT(wrong("m * m"), HasSubstr("'*' does not take mat2x3 and mat2x3"));
  EXPECT_THAT(wrong("m + vec2(1)"), HasSubstr("'+' does not take mat2x3 and vec2"));
  EXPECT_THAT(wrong("m + true"), HasSubstr("numbers, not booleans"));
  EXPECT_THAT(wrong("m < m"), HasSubstr("'<' does not take"));
  EXPECT_THAT(wrong("!m"), HasSubstr("'!' does not take mat2x3"));
  EXPECT_THAT(wrong("length(m)"), HasSubstr("'length' does not take mat2x3"));
  EXPECT_THAT(wrong("(2 * m).x"), HasSubstr("asks for a structure or a vector"));
  EXPECT_THAT(wrong("(2 * m)[2]"), HasSubstr("index 2 of 2"));
}

// source_scopes.comp names gl_LocalInvocationIndex alone.
TEST_F(Expressions, BuiltInsAreThereInEveryKernel) {
  EXPECT_EQ(is("gl_LocalInvocationID"), "uvec3 (2, 0, 0)");
  EXPECT_EQ(is("gl_WorkGroupID"), "uvec3 (0, 0, 0)");
  EXPECT_EQ(is("gl_NumWorkGroups"), "uvec3 (1, 1, 1)");
  EXPECT_EQ(is("gl_WorkGroupSize"), "uvec3 (4, 1, 1)");
  EXPECT_EQ(is("gl_SubgroupID"), "uint 0");
  EXPECT_EQ(is("gl_SubgroupInvocationID"), "uint 2");
  EXPECT_EQ(is("gl_SubgroupSize"), "uint 32");
  EXPECT_EQ(is("gl_NumSubgroups"), "uint 1");
  EXPECT_EQ(is("gl_SubgroupSize == 32u && gl_NumSubgroups < 2u"), "bool true");
  EXPECT_THAT(wrong("gl_SubgroupSizes"), HasSubstr("there is no variable"));
}

TEST_F(Expressions, TheConditionsTextIsKept) {
  EXPECT_EQ(parseExpression("lane > 1 ?  2 : 3")->source, "lane > 1 ?  2 : 3");
}

TEST_F(Expressions, WhatWasNotWrittenIsNotKnown) {
  EXPECT_EQ(is("c.weights[0]"), "float 0.5");
  EXPECT_EQ(is("c.weights[1]"), "float ?");
  EXPECT_EQ(is("c.weights[1] + 1"), "float ?");
  EXPECT_EQ(is("m[0]"), "vec3 (?, ?, ?)");
  EXPECT_EQ(is("c.weights[1] > 0 && false"), "bool false");  // whatever it is
  EXPECT_EQ(is("c.weights[1] > 0 || true"), "bool true");
  EXPECT_EQ(is("c.weights[1] > 0 ? 1 : 2"), "bool ?");
}

TEST_F(Expressions, CastsFunctionsAndComparisons) {
  EXPECT_EQ(is("float(lane) / 4"), "float 0.5");
  EXPECT_EQ(is("int(2.9) + int(-2.9)"), "int 0");
  EXPECT_EQ(is("uint(-1)"), "uint 4294967295");
  EXPECT_EQ(is("vec3(cell, 1)"), "vec3 (2, 7, 1)");
  EXPECT_EQ(is("ivec2(5)"), "ivec2 (5, 5)");
  EXPECT_EQ(is("float2(1, 2)"), "vec2 (1, 2)");
  EXPECT_EQ(is("cell == ivec2(2, 7)"), "bool true");
  EXPECT_EQ(is("cell != ivec2(2, 7)"), "bool false");
  EXPECT_EQ(is("max(cell, 4)"), "ivec2 (4, 7)");
  EXPECT_EQ(is("clamp(9, 0, lane)"), "int 2");
  EXPECT_EQ(is("dot(vec2(3, 4), vec2(3, 4))"), "float 25");
  EXPECT_EQ(is("length(vec2(3, 4))"), "float 5");
  EXPECT_EQ(is("mod(-1.0, 3)"), "float 2");
  EXPECT_EQ(is("floatBitsToUint(1.0) == 0x3f800000u"), "bool true");
  EXPECT_EQ(is("uintBitsToFloat(0x40000000u)"), "float 2");
  EXPECT_EQ(is("asfloat(asuint(2.0) + 0u)"), "float 2");  // HLSL has them by these names
  EXPECT_EQ(is("asuint(-1)"), "uint 4294967295");
  EXPECT_EQ(is("asint(3u) - 4"), "int -1");
  EXPECT_EQ(is("asfloat(1.5)"), "float 1.5");
  EXPECT_EQ(is("isnan(0.0 / 0.0)"), "bool true");
  EXPECT_EQ(is("floatBitsToUint(0.0 * uintBitsToFloat(0x7f800000u))"), "uint 2143289344");  // of NaNs there is one
  EXPECT_EQ(is("!(lane == 2) || lane > 1 && lane <= 2"), "bool true");
  EXPECT_EQ(is("cell * 2 + ivec2(1, 0)"), "ivec2 (5, 14)");
  EXPECT_EQ(is("abs(-3)"), "int 3");
}

TEST_F(Expressions, ErrorsNameTheColumn) {
  EXPECT_THAT(wrong("1 +"), AllOf(HasSubstr("a value is missing"), HasSubstr("column 4")));
  EXPECT_THAT(wrong("(1"), AllOf(HasSubstr("')' is missing"), HasSubstr("column 3")));
  EXPECT_THAT(wrong("1 2"), AllOf(HasSubstr("'2' is not expected"), HasSubstr("column 3")));
  EXPECT_THAT(wrong("1 + `"), AllOf(HasSubstr("'`' begins no value"), HasSubstr("column 5")));
  EXPECT_THAT(wrong("12ab"), AllOf(HasSubstr("'a' does not belong to a number"), HasSubstr("column 3")));
  EXPECT_THAT(wrong("99999999999999999999"), HasSubstr("no number of 64 bits"));
  EXPECT_THAT(wrong("1.2.3"), HasSubstr("no number"));
  EXPECT_THAT(wrong("lane + colour"), AllOf(HasSubstr("no variable 'colour'"), HasSubstr("column 8")));
  EXPECT_THAT(wrong("c.colour"), AllOf(HasSubstr("no member 'colour'"), HasSubstr("it has at, weights")));
  EXPECT_THAT(wrong("cell.z"), HasSubstr("names no components of a vector of 2"));
  EXPECT_THAT(wrong("cell.xg"), HasSubstr("names no components"));
  EXPECT_THAT(wrong("row[4]"), AllOf(HasSubstr("index 4 of 4"), HasSubstr("column 4")));
  EXPECT_THAT(wrong("row[-1]"), HasSubstr("index -1 of 4"));
  EXPECT_THAT(wrong("row[c.weights[1]]"), HasSubstr("an index is an integer"));
  EXPECT_THAT(wrong("row + 1"), HasSubstr("neither a number nor a vector"));
  EXPECT_THAT(wrong("cell + vec3(1)"), HasSubstr("do not go together"));
  EXPECT_THAT(wrong("1 / 0"), AllOf(HasSubstr("'/' is undefined for a divisor of 0"), HasSubstr("column 3")));
  EXPECT_THAT(wrong("1 << 32"), HasSubstr("undefined for a shift by the width or more"));
  EXPECT_THAT(wrong("-7 % 3"), HasSubstr("a negative operand"));
  EXPECT_THAT(wrong("int(3e9)"), HasSubstr("'conversion' is undefined for a value that does not fit"));
  EXPECT_THAT(wrong("sqrt(-1.0)"), HasSubstr("undefined for x < 0"));
  EXPECT_THAT(wrong("1.5 % 2"), HasSubstr("asks for integers"));
  EXPECT_THAT(wrong("true + 1"), HasSubstr("not booleans"));
  EXPECT_THAT(wrong("cell < 3"), HasSubstr("not vectors"));
  EXPECT_THAT(wrong("vec3(1, 2)"), HasSubstr("asks for 3 components, and 2 are given"));
  EXPECT_THAT(wrong("noise(1)"), HasSubstr("no function 'noise'"));
  EXPECT_THAT(wrong("lane.x.y"), HasSubstr("column"));
  EXPECT_THAT(wrong(""), HasSubstr("a value is missing"));
  EXPECT_THAT(wrong(std::string(1000, '(')), HasSubstr("nests too deep"));
  EXPECT_THAT(wrong(std::string(5000, '1')), HasSubstr("at most"));
}

// Every beginning and every change of one character of an expression gives a value or an error: nothing else.
TEST_F(Expressions, AnyTextIsAnswered) {
  const std::string whole = "vec2(row[lane & 1].yx, 1.5e1).y * -0x1fu <= c.weights[0] ? m[1].z : clamp(3, 0u, 2) || !true";
  for (std::size_t i = 0; i <= whole.size(); ++i) {
    wrong(whole.substr(0, i));
    for (const char c : {'(', ')', '[', '.', '0', 'x', '%', '?', '"', '\0'}) {
      std::string changed = whole;
      if (i < changed.size()) changed[i] = c;
      EXPECT_FALSE(wrong(changed).empty());
    }
  }
}

}  // namespace
}  // namespace lanewise::debug
