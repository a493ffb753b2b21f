// -- who wrote last is known for every byte, so that an invocation is not told for writing over itself
// buffer 0 poison: 4
// expect 0 u32: 7
// finding finding_written_thrice.comp:11: data race of equal values: OpStore of 'o[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at finding_written_thrice.comp:9
#version 460
layout(local_size_x = 2) in;
layout(binding = 0) buffer B { uint o[1]; };
void main() {
  if (gl_LocalInvocationIndex == 0) o[0] = 7u;
  if (gl_LocalInvocationIndex == 1) {
    o[0] = 7u;
    o[0] = 7u;
    o[0] = 7u;
  }
}
