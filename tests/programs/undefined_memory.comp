// -- undefined bytes are carried through memory: a variable stored to workgroup memory and read by another invocation goes into a branch.
// -- Near misses: a structure of which one member is not written is copied, and its other members are used; an undefined value that is
// -- overwritten; workgroup memory that is read and not used; a byte of a word; an atomic exchange whose result nobody uses
// buffer 0 poison: 32
// buffer 1 poison: 16
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// expect 0 u32: 4 4 4 4 2 2 2 2
// expect 1 u32: 0x11 0x11 0x11 0x11
// finding undefined_memory.comp:27: undefined value: OpBranchConditional, which decides the way, invocation 0,0,0 of dispatch 0; from 'never', which is read before it is written
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer O { uint o[]; };
layout(binding = 1) buffer P { uint p[]; };
struct Pair { uint a, b; };
shared Pair pairs[4], copies[4];
shared uint flags[4], unread[4], locks[1];
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint never;
  if (i == 9) never = 1;
  flags[i] = never;
  pairs[i].a = 2;
  if (i == 0) atomicExchange(locks[0], 0u);
  barrier();
  if (flags[i ^ 1] == 1) o[i] = 3; else o[i] = 4;
  // Near misses.
  copies[i] = pairs[i];
  o[4 + i] = copies[i].a;
  uint again = never;
  again = 1;
  p[i] = never;
  p[i] = unread[i];
  const uint word = (never << 8) | 0x11u;
  p[i] = word & 0xffu;
  if (atomicAdd(locks[0], again) == 77) o[i] = 0;
}
