// -- vectors at addresses that are no multiple of what their type promises. Near misses: a multiple of it, the components of a vector
// -- there, and a type that promises less
// model-only: on a device such an access may do anything
// push address: 1
// buffer 0 poison: 40
// buffer 1 u32: 0..15
// expect 0 u32: 1..4 4..7 5 6
// expect 1 u32: 0..9 4 5 6 7 14 15
// finding finding_misaligned.comp:21: misaligned access: OpLoad of 'Wide.v'
// finding finding_misaligned.comp:26: misaligned access: OpStore of 'Wide.v'
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Wide { uvec4 v; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Narrow { uvec2 v; };
layout(push_constant) uniform P { uint64_t base; };
layout(binding = 0) buffer O { uint o[10]; };
void main() {
  // 4 is no multiple of 16
  const uvec4 apart = Wide(base + 4ul).v;
  o[0] = apart.x; o[1] = apart.y; o[2] = apart.z; o[3] = apart.w;
  const uvec4 there = Wide(base + 16ul).v;
  o[4] = there.x; o[5] = there.y; o[6] = there.z; o[7] = there.w;
  o[8] = Narrow(base + 20ul).v.x; o[9] = Wide(base + 16ul).v[there.x / 2];
  Wide(base + 40ul).v = there;
}
