// -- an index below 0 is told as its type has it, with the bytes that it means. Near miss: the other invocations' are right
// buffer 0 i32: 10 20 30 40
// buffer 1 u32: 32*0
// buffer 2 i32: 2 1
// expect 0 i32: 10 20 30 40
// model-only: what lies beyond is a device's own business
// finding finding_index_below.comp:21: out of range (buffer): OpLoad of 'of[-1]', bytes -4 to -1 of 16, invocation 0,0,0 of dispatch 0
// finding finding_index_below.comp:22: out of range (buffer): OpLoad of 'of[4294967295]', bytes 17179869180 to 17179869183 of 16, invocation 0,0,0 of dispatch 0
// finding finding_index_below.comp:23: out of range (buffer): OpStore of 'its[-2].word[3]', bytes -20 to -17 of 128, invocation 0,0,0 of dispatch 0 (2 times)
// finding finding_index_below.comp:24: out of range (array): OpLoad of 'its[0].word[4294967295]', index 4294967295 of 4, invocation 0,0,0 of dispatch 0
#version 460
layout(local_size_x = 4) in;
struct Item {
  int word[4];
};
layout(binding = 0) readonly buffer A { int of[]; };
layout(binding = 1) buffer B { Item its[]; };
layout(binding = 2) readonly buffer C { int two; uint one; };
void main() {
  const int i = int(gl_LocalInvocationIndex);
  int sum = of[i - two + int(one)];
  sum += of[uint(i) - one];
  its[i - two].word[two + int(one)] = sum;
  if (i == 0) its[4].word[i] = its[i].word[uint(i) - one];
}
