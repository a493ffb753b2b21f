// -- both ways of a branch add to one counter: the lanes of each go one after the other, in batches of any width
// buffer 0 u32: 0
// buffer 1 poison: 512
// one-order
// model-only: whose atomic is first is the device's own
// expect 0 u32: 128
// expect 1 u32: 164..227 0..63
#version 450
layout(local_size_x = 128) in;
layout(binding = 0) buffer A { uint c[]; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint acc;
  if ((i & 1u) != 0u) acc = atomicAdd(c[0], 1u);
  else acc = 100u + atomicAdd(c[0], 1u);
  o[(i & 1u) * 64u + i / 2u] = acc;
}
