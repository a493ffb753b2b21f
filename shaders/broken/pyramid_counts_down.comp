// broken/pyramid-counts-down: one workgroup makes all levels of a line of 2^n texels, and counts down the levels that remain (N4). With
// none to make the count wraps, and the loop runs 2^32 times. Smallest: 1x1.
#version 460

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) restrict buffer Chain { uint texels[]; } chain;  // all levels, one after another
layout(push_constant) uniform Push { uint width, made; } push;

uint meanOf(uint a, uint b) {
  uint even = ((a & 0x00ff00ffu) + (b & 0x00ff00ffu) + 0x00010001u) >> 1, odd = ((a >> 8 & 0x00ff00ffu) + (b >> 8 & 0x00ff00ffu) + 0x00010001u) >> 1;
  return (even & 0x00ff00ffu) | (odd & 0x00ff00ffu) << 8;
}

void main() {
  uint remaining = push.made, width = push.width, from = 0u;
  do {
    uint to = from + width;
    width >>= 1;
    for (uint i = gl_LocalInvocationIndex; i < width; i += 64u)
      chain.texels[to + i] = meanOf(chain.texels[from + 2u * i], chain.texels[from + 2u * i + 1u]);
    from = to;
    memoryBarrierBuffer();
    barrier();
  } while (--remaining != 0u);  // the defect: nothing tests whether there is one
}
