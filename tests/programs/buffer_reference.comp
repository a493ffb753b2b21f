// -- glslang promises that a column of a row-major matrix is a multiple of 8; its second one is none
// -- device addresses in push constants and in buffers, cast to integers and back, a linked list, pointer arithmetic, a row-major matrix
// push address: 1 2
// buffer 0 poison: 128
// buffer 1 u32: 11 1
// buffer 1 address: 1+32 2+32
// buffer 1 u32: 2*0
// buffer 1 u32: 22 2
// buffer 1 address: 1+64 2+32
// buffer 1 u32: 2*0
// buffer 1 u32: 33 3
// buffer 1 address: 3 2
// buffer 2 u8: 1..16
// buffer 2 f32: 1.5 2.5 3.5 4.5
// buffer 2 f32: 1 2 3 4 5 6 7 8
// buffer 2 u64: 9000000000
// buffer 3 u32: 44 4 6*0 2*1 6*0
// expect 0 u32: 11010 1101 11010 11010 257 1538 2819 4100 3 5 7 9 2135 4246 6135 2246 22022 2022 22022 2022 4*0
// expect 0 u64: 32 1 0 32
// expect 2 u8: 1..15 200
// expect 2 f32: 1.5 2.5 3.5 4.5 1 2 3 4 5 6 7 8
// expect 2 u64: 15442450944
// expect 3 u32: 44 4 6*0 5 6 6*0
// finding buffer_reference.comp:57: misaligned access: OpLoad of 'm.m[%163]', byte 36, no multiple of 8
// finding buffer_reference.comp:62: data race: OpAtomicIAdd of 'second.item.value', invocation 0,0,0 of dispatch 0; against the load by 2,0,0 at buffer_reference.comp:50
// finding buffer_reference.comp:62: data race: OpLoad of 'w.w[%219], byte 32 of 1', invocation 0,0,0 of dispatch 0; against the atomic access by 1,0,0 at buffer_reference.comp:62
// differs lavapipe from 25.2: crashes at the end of the list (lavapipe_linked_list.comp)
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 4) in;
layout(buffer_reference, buffer_reference_align = 8) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Bytes { uint8_t b[16]; };
layout(buffer_reference, scalar) buffer Vec { vec3 v; float w; };
layout(buffer_reference, std430) buffer Mats { layout(row_major) mat2x3 m; };
layout(buffer_reference, std430) buffer Words { uint w[]; };
layout(buffer_reference, std430) buffer Longs { uint64_t l[]; };
struct Item { uint value; uint count; };
layout(buffer_reference, std430) buffer Node { Item item; Node next; uint64_t extra; };
layout(push_constant) uniform P { Node head; Bytes bytes; } p;
layout(binding = 0) buffer O { uint o[24]; uint64_t q[4]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  // a list walked to its end; every lane for itself
  uint sum = 0, n = 0;
  for (Node at = p.head; uint64_t(at) != 0; at = at.next) { sum += at.item.value; n += at.item.count; if (l == 1) break; }
  o[l] = sum * 100 + n;
  Bytes byteAt = p.bytes;
  o[4 + l] = uint(byteAt.b[l]) + uint(byteAt.b[(l * 5) & 15]) * 256;
  Vec v = Vec(uint64_t(p.bytes) + 16);
  o[8 + l] = uint(l < 3 ? v.v[l] * 2 : v.w * 2);
  Mats m = Mats(p.head.next.extra);
  vec3 c = m.m[l & 1];
  o[12 + l] = uint(c.x * 100 + c.y * 10 + c[2]) + uint(m.m[1][l % 3]) * 1000;
  // pointer arithmetic and a cast through two words
  Words w = Words(uvec2(p.head));
  Node second = p.head + 1;
  o[16 + l] = atomicAdd(second.item.value, 0u) + w.w[8 + (l & 1)] * 1000;
  Longs far = Longs(uint64_t(p.bytes) + 64);
  atomicAdd(far.l[0], uint64_t(l) << 30);
  if (l == 3) { Node last = p.head.next.next.next + 1; last.item = Item(5, 6); byteAt.b[15] = uint8_t(200); }
  o[20 + l] = 0;
  if (l == 0) { q[0] = uint64_t(second) - uint64_t(p.head); q[1] = uint64_t(p.head + 2) == uint64_t(p.head.next.next) ? 1 : 0; q[2] = uint64_t(p.head) == uint64_t(p.bytes) ? 1 : 0; q[3] = p.head.extra - uint64_t(p.bytes); }
}
