// -- Each invocation reads what its neighbour wrote, with no barrier between: right only where lanes execute in lockstep.
// buffer 0 poison: 64
// races
// model-only: what a device gives is its own business
// expect 0 u32: 1..15 0
// finding race_workgroup.comp:14: data race: OpLoad of 'values[1]', invocation 0,0,0 of dispatch 0; against the store by 1,0,0 at race_workgroup.comp:13
#version 460
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint result[]; };
shared uint values[16];
void main() {
  const uint i = gl_LocalInvocationIndex;
  values[i] = i;
  result[i] = values[(i + 1) % 16];
}
