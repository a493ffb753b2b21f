// -- updates that a comparison decides: a choice, its opposite, a texel, a float, with an `else` and behind it; and a pair, of which no
// -- atomic is. Near miss: the same by atomics, the pair in one word
// buffer 0 u32: 100 0 0x42c80000 100 0 100 0 0
// image 1 r32ui 2d 1x1 u32: 0
// buffer 2 u32: 100 0 0xffffffff
// image 3 r32ui 2d 1x1 u32: 0
// model-only: what a device gives is its own business
// expect 2 u32: 6 9 0x603
// expect 3 u32: 9
// finding OpStore of 'least', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding OpStore of 'least', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_update_compared.comp:34: data race: OpStore of 'most', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_compared.comp:34: data race: OpStore of 'most', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_update_compared.comp:35: data race: OpImageWrite of 'texel[0,0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_compared.comp:35: data race: OpImageWrite of 'texel[0,0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_update_compared.comp:36: data race: OpStore of 'low', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_compared.comp:36: data race: OpStore of 'low', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_update_compared.comp:37: data race: OpStore of 'best', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_compared.comp:37: data race: OpStore of 'best', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_update_compared.comp:38: data race: OpStore of 'less', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_compared.comp:38: data race: OpStore of 'less', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_update_compared.comp:39: data race: OpStore of 'more', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_compared.comp:39: data race: OpStore of 'more', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint least, most; float low; uint best, at, less, more, others; };
layout(binding = 1, r32ui) uniform uimage2D texel;
layout(binding = 2) buffer B { uint least2, most2, pair; };
layout(binding = 3, r32ui) uniform uimage2D texel2;
void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint sent = 9 - i;
  least = sent < least ? sent : least;
  if (!(most >= sent)) most = sent;
  if (sent > imageLoad(texel, ivec2(0)).x) imageStore(texel, ivec2(0), uvec4(sent));
  if (float(sent) < low) low = float(sent);
  if (sent < best) { best = sent; at = i; }
  if (sent < less) less = sent; else atomicAdd(others, 1);
  if (sent <= more) atomicAdd(others, 1); else more = sent;
  // Near miss.
  atomicMin(least2, sent);
  atomicMax(most2, sent);
  imageAtomicMax(texel2, ivec2(0), sent);
  atomicMin(pair, sent << 8 | i);
}
