// -- two invocations write one place with exactly 65536 control barriers between: that is an order
// buffer 0 poison: 8
// model-only: devices find nothing
// expect 0 u32: 2 3
// finding finding_written_far_apart.comp:21: data race: OpStore of 'o[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at finding_written_far_apart.comp:18
// finding finding_written_far_apart.comp:24: data race of equal values: OpStore of 'o[1]', invocation 0,0,0 of dispatch 0; against the store by 1,0,0 at finding_written_far_apart.comp:22
#version 460
layout(local_size_x = 2) in;
layout(binding = 0) buffer B { uint o[2]; };
void sixteen() {
  barrier(); barrier(); barrier(); barrier();
  barrier(); barrier(); barrier(); barrier();
  barrier(); barrier(); barrier(); barrier();
  barrier(); barrier(); barrier(); barrier();
}
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0) o[0] = 1u;
  for (uint turn = 0; turn < 4096u; ++turn) sixteen();
  if (i == 1) {
    o[0] = 2u;
    o[1] = 3u;
  }
  if (i == 0) o[1] = 3u;
}
