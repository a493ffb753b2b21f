// -- a branch that nobody takes holds an operation of the subgroup: lanes one by one take turns in the same way, watched or not
// buffer 0 u32: 0
// buffer 1 poison: 128
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
