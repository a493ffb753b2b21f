// -- updates: of what a comparison decides, of bytes of a word, of a texel. Near miss: the same by atomics
// buffer 0 u32: 100 5*0
// image 1 r32ui 2d 1x1 u32: 0
// buffer 2 u32: 100 0
// image 3 r32ui 2d 1x1 u32: 0
// model-only: what a device gives is its own business
// expect 2 u32: 6 0x03020100
// expect 3 u32: 4
// finding race_update_kinds.comp:26: data race: OpStore of 'least', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_kinds.comp:26
// finding race_update_kinds.comp:26: data race: OpStore of 'least', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_kinds.comp:26
// finding race_update_kinds.comp:27: data race: OpStore of 'bytes', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_kinds.comp:27
// finding race_update_kinds.comp:27: data race: OpStore of 'bytes', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_kinds.comp:27
// finding race_update_kinds.comp:28: data race: OpImageWrite of 'count[0,0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_kinds.comp:28
// finding race_update_kinds.comp:28: data race of equal values: OpImageWrite of 'count[0,0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_kinds.comp:28
// finding race_update_kinds.comp:32: data race: OpStore of 'scratch[0]', invocation 0,0,0 of dispatch 0; against the load by 3,0,0 at race_update_kinds.comp:32
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint least, bytes, sums[4]; };
layout(binding = 1, r32ui) uniform uimage2D count;
layout(binding = 2) buffer B { uint least2, bytes2; };
layout(binding = 3, r32ui) uniform uimage2D count2;
shared uint scratch[4];
void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint sent = 9 - i, at = 8 * i;
  if (sent < least) least = sent;
  bytes = (bytes & ~(255u << at)) | (i << at);
  imageStore(count, ivec2(0), imageLoad(count, ivec2(0)) + 1u);
  // Two elements: no update of one.
  scratch[i] = i;
  barrier();
  scratch[i] += scratch[(i + 1) % 4];
  sums[i] = scratch[i];
  // Near miss.
  atomicMin(least2, sent);
  atomicAnd(bytes2, ~(255u << at));
  atomicOr(bytes2, i << at);
  imageAtomicAdd(count2, ivec2(0), 1u);
}
