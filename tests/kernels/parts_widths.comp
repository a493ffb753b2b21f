// Workgroups with words of their own, of 8 to 64 bits, or of their neighbour's: MODE says which.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint MODE = 0;
layout(binding = 0) buffer R { TYPE result[]; };
layout(binding = 1) readonly buffer S { uint source[]; };
void main() {
  // Where a workgroup's words are is not to be seen while it is decoded.
  const uint i = gl_GlobalInvocationID.x, at = source[0] + (i ^ (source[0] * 3));
  if (MODE == 0) result[at] += TYPE(i);                                                // each its own
  if (MODE == 1) result[at + 1] = TYPE(i) + result[at];                                // the first of the next workgroup
  if (MODE == 2 && i % 3 == 0) result[at * 2] = TYPE(i);                               // apart, by some lanes
  if (MODE == 3 && gl_LocalInvocationIndex == 5) result[gl_WorkGroupID.x + source[0]] += TYPE(7);  // one value
  if (MODE == 4 && i % 5 == 1) result[at] = result[i + 1000000 + source[0]] + TYPE(3);  // loads nothing
}
