// -- a branch that nobody takes holds an operation of the subgroup: lanes one by one take turns in the same way, watched or not
// buffer 0 u32: 0
// buffer 1 poison: 128
// one-order
// model-only: whose atomic is first is the device's own
// expect 0 u32: 80
// -- two digits each: the places in the order of its first, second and third round, of the lanes that go so often; then 48 + lane
// expect 1 u32: 48 49 12450 2254051 52 353 42654 5274155 56 657 72858 8294259 60 961 103062 11314363 64 1265
// expect 1 u32: 133266 14334467 68 1569 163470 17354571 72 1873 193674 20374675 76 2177 223878 23394779
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { uint c[]; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint r = 0u;
  for (uint v = 0u; v < (i & 3u); ++v) {
    r = r * 100u + atomicAdd(c[0], 1u);
    if (((v ^ v) & 8u) != 0u)
      do { r += subgroupAdd(i); } while (r < (i & 3u));
  }
  o[i] = r * 100u + atomicAdd(c[0], 1u);
}
