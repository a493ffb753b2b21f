// photo/cosine: the exact sums of a*b, a*a and b*b over two vectors of 32-bit counts, 128 bits each. From them the host computes the
// cosine, dot / sqrt(aa * bb), and rounds it once.
// A product has 64 bits, and the sum of 2^32 products 96. A workgroup adds up its products as a tree in workgroup memory, with a barrier
// per step. Its first invocation adds the three sums to the totals by atomics, and carries from word to word.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"

layout(set = 0, binding = 0) restrict readonly buffer First { uint a[]; };
layout(set = 0, binding = 1) restrict readonly buffer Second { uint b[]; };
layout(set = 0, binding = 2) restrict buffer Totals { uint words[12]; } totals;

shared uvec3 sums[3][256];  // words, the low one first

uvec3 add(uvec3 a, uvec3 b) {
  uint first, second, third;
  uint low = uaddCarry(a.x, b.x, first);
  uint middle = uaddCarry(uaddCarry(a.y, b.y, second), first, third);
  return uvec3(low, middle, a.z + b.z + second + third);
}

uvec3 product(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return uvec3(low, high, 0u);
}

// Adds to one word of the totals. Returns whether the word overflowed.
bool addWord(uint at, uint value) {
  uint before = atomicAdd(totals.words[at], value);
  return before + value < before;
}

void addToTotal(uint which, uvec3 sum) {
  uint at = 4u * which, carry = addWord(at, sum.x) ? 1u : 0u;
  for (uint i = 1u; i < 4u; ++i) {
    uint word = i < 3u ? sum[i] : 0u, over;
    word = uaddCarry(word, carry, over);
    carry = over + (word != 0u && addWord(at + i, word) ? 1u : 0u);
  }
}

void main() {
  uint here = gl_LocalInvocationIndex, at = texelHere().x;
  bool inside = isInside(uvec2(at, 0u));
  uint va = inside ? a[at] : 0u, vb = inside ? b[at] : 0u;
  sums[0][here] = product(va, vb);
  sums[1][here] = product(va, va);
  sums[2][here] = product(vb, vb);
  barrier();
  for (uint step = 128u; step > 0u; step >>= 1) {
    if (here < step && here + step < groupInvocations())
      for (uint s = 0u; s < 3u; ++s) sums[s][here] = add(sums[s][here], sums[s][here + step]);
    barrier();
  }
  if (here == 0u)
    for (uint s = 0u; s < 3u; ++s) addToTotal(s, sums[s][0]);
}
