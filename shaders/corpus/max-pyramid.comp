// A pyramid of maxima of 64x64 floats a workgroup down to one value, barriers between the levels; the last workgroup takes the maximum of all.
// small: --groups 2,2 --push u32:128 --buffer Depth=f32:noise:16384 --buffer State=zeros:20 --out Top=-:4
// large: --groups 16,16 --push u32:1024 --buffer Depth=f32:noise:1048576 --buffer State=zeros:1028 --out Top=-:4
#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) restrict readonly buffer Depth { float depth[]; };
layout(set = 0, binding = 1) buffer State { uint done; uint tops[]; };
layout(set = 0, binding = 2) restrict writeonly buffer Top { float top; };
layout(push_constant) uniform Args { uint pitch; } args;
shared float lds[16][16];
shared bool last;
void reduce(float v) {
  uint x = gl_LocalInvocationIndex % 16, y = gl_LocalInvocationIndex / 16;
  lds[y][x] = v;
  for (uint n = 8; n > 0; n /= 2) {
    barrier();
    float m = 0;
    if (x < n && y < n) m = max(max(lds[2 * y][2 * x], lds[2 * y][2 * x + 1]), max(lds[2 * y + 1][2 * x], lds[2 * y + 1][2 * x + 1]));
    barrier();
    if (x < n && y < n) lds[y][x] = m;
  }
  barrier();
}
void main() {
  uvec2 at = gl_WorkGroupID.xy * 64 + uvec2(gl_LocalInvocationIndex % 16, gl_LocalInvocationIndex / 16) * 4;
  float v = 0;
  for (uint y = 0; y < 4; y++)
    for (uint x = 0; x < 4; x++) v = max(v, depth[(at.y + y) * args.pitch + at.x + x]);
  reduce(v);
  uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
  if (gl_LocalInvocationIndex == 0) {
    atomicStore(tops[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x], floatBitsToUint(lds[0][0]), gl_ScopeDevice, 0, 0);
    last = atomicAdd(done, 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease) == groups - 1;
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  if (!last) return;
  uint m = 0;
  for (uint i = gl_LocalInvocationIndex; i < groups; i += 256) m = max(m, atomicLoad(tops[i], gl_ScopeDevice, 0, 0));
  reduce(uintBitsToFloat(m));
  if (gl_LocalInvocationIndex == 0) top = lds[0][0];
}
