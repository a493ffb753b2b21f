// -- locks whose loop a variable ends that holds what was read, comes back in two rounds, or has nothing added: seven kinds by the constant
// model-only: a device need not run the subgroup that has the lock
// subgroup-size 16
// buffer 0 u32: 0
// expect 0 u32: 4
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kind = 0;
layout(binding = 0) buffer F { uint o; };
shared uint lock, sum;
bool takes() {
  return atomicCompSwap(lock, 0, 1) == 0;
}
void main() {
  const uint t = gl_LocalInvocationIndex;
  if (t == 0) {
    lock = 0;
    sum = 0;
  }
  barrier();
  if (gl_SubgroupInvocationID == 0) {
    bool done = false;
    uint f = 0, a = 1, b = 1;
    if (kind == 0) while (!done) { bool got = false; if (takes()) got = true; done = got; }
    if (kind == 1) while (f != 2) { if (f == 0) f = 1; else if (takes()) f = 2; else f = 0; }
    if (kind == 2) while (f == 0) f |= uint(takes());
    if (kind == 3) while (f == 0) f ^= uint(takes());
    if (kind == 4) while (f == 0) f += uint(takes());
    if (kind == 5) while (a != 0) { const uint was = atomicExchange(lock, 1); b = was; a = b; }
    if (kind == 6) do { b = a; a = atomicExchange(lock, 1); } while (b == 1 && a == 1);
    memoryBarrierShared();
    sum += 1;
    memoryBarrierShared();
    atomicExchange(lock, 0);
  }
  barrier();
  if (t == 0) o = sum;
}
