// -- race_workgroup.comp with its barrier.
// buffer 0 poison: 64
// expect 0 u32: 1..15 0
#version 460
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint result[]; };
shared uint values[16];
void main() {
  const uint i = gl_LocalInvocationIndex;
  values[i] = i;
  barrier();
  result[i] = values[(i + 1) % 16];
}
