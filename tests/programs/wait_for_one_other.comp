// -- one invocation waits for another of its workgroup, in an earlier subgroup. Near miss: what nobody stores meanwhile, in wait_of_one.comp
// model-only: a device need not run the subgroup that stores
// subgroup-size 16
// buffer 0 u32: 0
// one-order
// expect 0 u32: 1
#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o; };
shared uint flag;
void main() {
  const uint t = gl_LocalInvocationIndex;
  if (t == 0) flag = 0;
  barrier();
  if (gl_SubgroupID == 2 && gl_SubgroupInvocationID == 0) {
    while (atomicAdd(flag, 0) == 0) {}
    o = 1;
  } else if (t == 0) {
    atomicExchange(flag, 1);
  }
}
