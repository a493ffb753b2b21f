// -- every built-in of a compute shader, components chosen at run time
// model-only: which invocations make a subgroup is up to the device
// subgroup-size 8
// groups 2 2 1
// buffer 0 poison: 1024
// buffer 1 u32: 0 1 2 3
// expect 0 u32: definition
#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_device_group : require
layout(local_size_x = 4, local_size_y = 2, local_size_z = 2) in;
layout(binding = 0) buffer O { uint o[]; };
layout(binding = 1) buffer I { uint n[4]; };
void main() {
  uint i = gl_LocalInvocationIndex, c = n[i % 3], d = n[(i + 1) % 3], e = n[(i + 2) % 3];
  uint at = ((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 16 + i) * 4;
  o[at] = gl_GlobalInvocationID[c] * 1000 + gl_LocalInvocationID[d] * 100 + gl_WorkGroupID[e] * 10 + gl_WorkGroupSize[c];
  o[at + 1] = i * 100 + gl_SubgroupID * 10 + gl_SubgroupInvocationID + uint(gl_DeviceIndex);
  o[at + 2] = gl_SubgroupEqMask[n[i & 3]] + gl_SubgroupGeMask[n[0]] * 256 + gl_SubgroupGtMask.x * 65536;
  o[at + 3] = gl_SubgroupLeMask.x + gl_SubgroupLtMask.x * 256 + (gl_SubgroupSize << 16) + (gl_NumSubgroups << 20) + (gl_NumWorkGroups[c] << 24);
}
