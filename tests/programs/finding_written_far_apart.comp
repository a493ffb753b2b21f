// -- two invocations write one place with exactly 65536 control barriers between: that is an order
// buffer 0 poison: 8
// model-only: devices find nothing
// expect 0 u32: 2 3
// finding finding_written_far_apart.comp:23: written several times: OpStore of '0', byte 4
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
