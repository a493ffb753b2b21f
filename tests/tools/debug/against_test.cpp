// `against`: the access at which two runs part, by name and type, and as unwritten where it is. And what `history` and `why` say of stores.
#include "tests/tools/debug/debug_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DebugAgainst : public DebugScratch {};

constexpr const char* kPoison = "2812782503";

// Shared memory of a job without resources: in one run nobody has written it yet.
TEST_F(DebugAgainst, WhatAJobWithoutResourcesReads) {
  write("own.comp", R"(#version 450
layout(local_size_x = 16) in;
shared float s[16], r[16];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = float(i) * 0.5;
  r[i] = s[15 - i];
}
)");
  const Ran ran = debug("own.comp", "against schedule lanes\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("the runs part at invocation 0,0,0\n  s[15]: it is 7.5\n"), HasSubstr("\n|   s[15]: it is ?\n")));
}

// Whether a place is unwritten does not depend on the first resource. The same bytes are a value where they were given.
TEST_F(DebugAgainst, WhatIsUnwrittenIsThePlaceItself) {
  write("size.comp", R"(#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  a[i] = i;
  b[i] = gl_SubgroupSize;
}
)");
  const std::string parts = "against subgroup-size 4\n";
  EXPECT_THAT(debug("size.comp --buffer 0:0=zeros:32 --out 0:1=-:32", parts).text,
              AllOf(HasSubstr("\n  b[0]: ? becomes 32\n"), HasSubstr("\n|   b[0]: ? becomes 4\n")));
  EXPECT_THAT(debug(std::string("size.comp --out 0:0=-:32 --buffer 0:1=u32:8*") + kPoison, parts).text,
              AllOf(HasSubstr(std::string("\n  b[0]: ") + kPoison + " becomes 32\n"), Not(HasSubstr("?"))));
  // Nor is it in the history of what was given.
  const std::string all = "history a[1]\n";
  EXPECT_THAT(debug("size.comp --out 0:0=-:32 --out 0:1=-:32", all).text, HasSubstr(": ? becomes 1\n"));
  EXPECT_THAT(debug(std::string("size.comp --out 0:1=-:32 --buffer 0:0=u32:8*") + kPoison, all).text,
              HasSubstr(std::string(": ") + kPoison + " becomes 1\n"));
}

// The store that is shown is not always to the first byte that differs.
TEST_F(DebugAgainst, TheStoreIsToldByItsOwnName) {
  write("two.comp", R"(#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { uint a; };
layout(binding = 1) buffer B { float b[2]; };
void main() {
  uint i = gl_WorkGroupID.x;
  b[1] = float(i) + 0.5;
  a = i;
}
)");
  EXPECT_THAT(debug("two.comp --groups 2 --buffer 0:0=zeros:4 --buffer 0:1=zeros:8", "against schedule reverse\n").text,
              AllOf(HasSubstr("the first in '0:0': a\nlast written by invocation 1,0,0\n  b[1]: 0.5 becomes 1.5\n"),
                    HasSubstr("\n| last written by invocation 0,0,0\n|   b[1]: 1.5 becomes 0.5\n")));
}

// With weak memory the last store need not be the one that remains.
TEST_F(DebugAgainst, TheStoreThatRemains) {
  write("last.comp", R"(#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Last { uint last; };
void main() { last = gl_GlobalInvocationID.x; }
)");
  const std::string last = "last.comp --groups 2 --buffer 0:0=zeros:4 --schedule in-order";
  const Ran weak = debug(last + "+weak:2", "against schedule in-order\nend\nprint 0:0 0\nwriter 0:0 0\n");
  EXPECT_THAT(weak.text, AllOf(HasSubstr("\nlast written by invocation 15,0,0\n  last: 0 becomes 15\n"),
                               HasSubstr("\n| last written by invocation 31,0,0\n|   last: 15 becomes 31\n"),
                               HasSubstr(" = 15\n(lanewise) writer 0:0 0\nlast written by invocation 15,0,0\n  0 becomes 15\n")));
  EXPECT_THAT(debug(last + "+weak:1", "end\nwhy last\n").text, HasSubstr("last written by invocation 31,0,0\n  15 becomes 31\n"));
  EXPECT_THAT(debug(last, "end\nwhy last\n").text, HasSubstr("last written by invocation 31,0,0\n  15 becomes 31\n"));
}

}  // namespace
}  // namespace lanewise
