// Device addresses in the debugger: what they lead to, watchpoints through them, and addresses that nobody has written.
#include "tests/tools/debug/debug_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class DebugAddresses : public DebugScratch {};

const char* const kNodes = R"(#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 4) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node { uint value; Node next; vec2 place[2]; };
layout(push_constant) uniform Push { Node node; } push;
layout(binding = 0) buffer Data { uint data[4]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  Node n = push.node;
  if (i == 2u) n = n.next;
  if (i == 2u) n.value = 7u;
  data[i] = n.value + i;
}
)";
const char* const kNodesData =
    " --buffer 0:0=zeros:16 --memory one=u32:1,u32:0,addr:two,f32:1,2,3,4 --memory two=u32:5,0,0,0,9,8,7,6 --push addr:one";

// What a device address leads to has names; a watchpoint through one is on the bytes that it leads to then, and is dropped at a reload,
// when it may lead elsewhere. One on the buffer itself stays.
TEST_F(DebugAddresses, LeadToMembers) {
  write("nodes.comp", kNodes);
  const Ran ran = debug("nodes.comp" + std::string(kNodesData),
                        "break 13 if i == 2u\ncontinue\nprint n.value\nprint push.node.place[0].x\nprint push.node.next.value\n"
                        "print push.node.next.next.value\nprint push.node.next.next != 0ul && push.node.next.next.value == 1u\nprint "
                        "n.colour\nprint n[1]\nprint n[-1]\nwhy n.value\nwatch n.value\nwatch two 0\ncontinue\n"
                        "reload\ninfo breakpoints\nstart\ncontinue\n");
  EXPECT_EQ(ran.code, 2) << ran.text;  // of the three wrong ones
  EXPECT_THAT(ran.text, AllOf(HasSubstr("uint n.value = 7\n"), HasSubstr("float push.node.place[0].x = 1\n"),
                              HasSubstr("uint push.node.next.value = 7\n"), HasSubstr("error: this address leads to no buffer (column 20)"),
                              HasSubstr("error: there is no member 'colour' (column 2); it has value, next, place"),
                              HasSubstr("(lanewise) print n[1]\nNode n[1] = out of range\n"),
                              HasSubstr("error: index -1 of what a pointer leads to (column 2)")));
  EXPECT_THAT(ran.text, HasSubstr("next.value == 1u\nbool push.node.next.next != 0ul && push.node.next.next.value == 1u = false\n"))
      << "the left side decides";
  EXPECT_THAT(ran.text,
              AllOf(HasSubstr("(lanewise) why n.value\nlast written by invocation 2,0,0\n  5 becomes 7\n"),
                    HasSubstr("dropped: breakpoint 2: change of n.value: a pointer says where it is, and may point elsewhere now\n"),
                    HasSubstr("3: change of two 0\n"), HasSubstr("breakpoint 3: invocation 2,0,0\n  5 becomes 7\n")));
}

// Of buffer_reference2: how far apart its elements are, each type's alignment decides. What is behind a pointer that nobody has written is
// not known; what is behind 0 is nothing.
TEST_F(DebugAddresses, AreIndexedAndMayBeUnknown) {
  write("beside.comp", R"(#version 450
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node { uint value; uint other; Node next; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Small { uint value; };
layout(buffer_reference, std430) buffer Unused { uint value; uint other; };
layout(push_constant) uniform Push { Node node; Small small; Unused unused; } push;
layout(binding = 0) buffer Data { uint data[4]; };
void main() {
  Node n;
  if (push.node[0].other == 99u) n = push.node;
  data[0] = push.node[0].value + push.small[1].value + push.unused.other;
  n = push.node + 1;
  data[1] = n.value;
}
)");
  const Ran ran = debug(
      "beside.comp --buffer 0:0=zeros:16 --memory nodes=u32:10,11,0,0,20,21,addr:small --memory small=u32:1,2,3,4 --push "
      "addr:nodes,addr:small,addr:small",
      "until 13\nprint n.value\nprint n.next.next.other + 1u\nprint n\nprint push.node[1].value\nprint push.node[1].next[0].value\n"
      "print push.small[3].value\nprint push.node.next.value\nprint push.unused[1].value\nuntil 15\nprint n.value\nprint n[-1].value\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("uint n.value = not written yet\n"), HasSubstr("uint n.next.next.other + 1u = ?\n"),
                              HasSubstr("uint push.node[1].value = 20\n"), HasSubstr("uint push.node[1].next[0].value = 1\n"),
                              HasSubstr("uint push.small[3].value = 4\n"),
                              HasSubstr("print push.node.next.value\nerror: this address leads to no buffer (column 15)\n"),
                              HasSubstr("error: the module does not say how far apart the elements there are (column 12)"),
                              HasSubstr("(lanewise) print n.value\nuint n.value = 20\n"), HasSubstr("error: index -1 of what a pointer")));
}

}  // namespace
}  // namespace lanewise
