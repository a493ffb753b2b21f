// -- indices beyond a declared length: in a block, where the access stays inside of the buffer, in one without a name, and in shared
// buffer 0 u32: 1 2 3 4 10 20 30 40
// buffer 1 poison: 24
// buffer 2 u32: 1 2 3 4
// model-only: what lies beyond is a device's own business
// expect 1 u32: 10 20 1 2 0 0
// finding finding_array.comp:24: out of range (array): OpLoad of 'a.first[4]', index 4 of 4, invocation 0,0,0 of dispatch 0 (2 times)
// finding finding_array.comp:27: out of range (array): OpLoad of 's[2]', index 2 of 2, invocation 0,0,0 of dispatch 0 (2 times)
// finding finding_array.comp:28: out of range (array): OpLoad of 'third[2]', index 2 of 2, invocation 0,0,0 of dispatch 0 (2 times)
#version 460
layout(local_size_x = 2) in;
layout(binding = 0) buffer A { uint first[4]; uint second[4]; } a;
layout(binding = 1) buffer B { uint o[]; };
layout(binding = 2) buffer C { uint third[2]; uint fourth[2]; };
shared uint s[2];
shared uint after[2];
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint local[2] = uint[](5, 6);
  s[i] = i;
  o[2 + i] = a.first[i] + (i + local[i] == 5 + 2 * i ? 0 : 100);
  // Not beyond: the same place through the member that it belongs to.
  const uint right = a.second[i];
  o[i] = a.first[4 + i];
  if (o[i] != right) o[i] = 99;
  barrier();
  o[4 + i] = s[2 + i] * 0;
  o[4 + i] += third[2 + i] - fourth[i];
}
