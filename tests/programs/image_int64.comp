// -- images of 64-bit integers: read, written, atomic
// model-only: few devices have VK_EXT_shader_image_atomic_int64
// image 0 r64ui 2d 2x1 u64: 0x100000000 7
// image 1 r64i 2d 2x1 i64: -5 0x7fffffff00000000
// buffer 2 poison: 32
// expect 0 u64: 0x100000003 0x900000007
// expect 1 i64: -6 0x7fffffff00000001
// expect 2 u64: 0x100000000 7 0xfffffffffffffffb 0x7fffffff00000000
#version 460
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(binding = 0, r64ui) uniform u64image2D u;
layout(binding = 1, r64i) uniform i64image2D i;
layout(binding = 2) buffer B { uint64_t o[]; };
void main() {
  o[0] = imageAtomicAdd(u, ivec2(0, 0), 3ul);
  o[1] = imageAtomicOr(u, ivec2(1, 0), 0x900000000ul);
  o[2] = uint64_t(imageAtomicMin(i, ivec2(0, 0), -6l));
  o[3] = uint64_t(imageLoad(i, ivec2(1, 0)).x);
  imageStore(i, ivec2(1, 0), i64vec4(imageLoad(i, ivec2(1, 0)).x + 1l));
}
