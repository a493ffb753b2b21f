// -- a lock of the workgroup that the first invocation of each subgroup takes, without an operation of subgroups: native code has fewer lanes
// model-only: a device need not run the subgroup that has the lock
// subgroup-size 64
// buffer 0 u32: 0
// buffer 1 u32: 11 12 13 14 15 16 17 18
// expect 0 u32: 5763
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 192) in;
layout(binding = 0) buffer F { uint o; };
layout(binding = 1) readonly buffer In { uint values[8]; };
shared uint lock, sum, place[192];
void main() {
  const uint t = gl_LocalInvocationIndex;
  if (t == 0) {
    lock = 0;
    sum = 0;
  }
  place[t] = values[t % 8];
  barrier();
  // What others of the subgroup have put there.
  const uint other = place[191 - t];
  if (gl_SubgroupInvocationID == 0) {
    while (atomicCompSwap(lock, 0, 1) != 0) {}
    memoryBarrierShared();
    sum += 1;
    memoryBarrierShared();
    atomicExchange(lock, 0);
  }
  barrier();
  atomicAdd(sum, other * (t % 3 + 1) + t / 64);
  barrier();
  if (t == 0) o = sum;
}
