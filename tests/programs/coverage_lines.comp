// -- a blur of rows that forgets the last column of an odd width, and a branch that this input never takes
// image 0 r32ui 2d 5x1 u32: 1 2 3 4 5
// buffer 1 poison: 8
// expect 1 u32: 3 7
#version 460
layout(local_size_x = 2) in;
layout(binding = 0, r32ui) uniform readonly uimage2D source;
layout(binding = 1) buffer B { uint o[]; };
void main() {
  const int i = int(gl_LocalInvocationIndex);
  uint sum = imageLoad(source, ivec2(2 * i, 0)).x;
  sum += imageLoad(source, ivec2(2 * i + 1, 0)).x;
  if (sum > 100) {
    sum = 100;
    sum -= gl_WorkGroupID.x;
  }
  o[i] = sum;
}
