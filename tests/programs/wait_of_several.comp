// -- loops that several invocations of a workgroup come to, each condition one step from one of wait_of_one.comp: each subgroup runs by itself
// subgroup-size 16
// buffer 0 u32: 0
// buffer 1 u32: 0 1
// expect 0 u32: 4
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16, local_size_y = 4) in;
layout(constant_id = 0) const int kind = 0;
layout(binding = 0) buffer B { uint o; };
layout(binding = 1) readonly buffer In { uint values[2]; };
shared uint stored, count;
void main() {
  const uvec2 id = gl_LocalInvocationID.xy;
  const uint t = gl_LocalInvocationIndex;
  if (t == 0) {
    count = 0;
    stored = values[1];
  }
  barrier();
  const bool first = kind == 1 ? gl_SubgroupInvocationID == 0 : kind == 2 ? t < 2 : kind == 3 ? t == 0 || t == 20 : kind == 4 ? t != 5 : false;
  const bool second = kind == 5 ? id.y * 15 + id.x == 15 : kind == 6 ? t == values[t & 1] : kind == 7 ? id.y == 0 && t / 2 == 0 : first;
  if (kind == 0 ? id.x == 0 : kind == 8 ? subgroupElect() : second) {
    while (atomicAdd(stored, 0) == 0) {}
    atomicAdd(count, 1);
  }
  barrier();
  if (t == 0) o = count;
}
