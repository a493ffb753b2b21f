// -- what is wrong with a condition is told where the way decides nothing that is used.
// buffer 0 u32: 1 2 3 4
// buffer 1 poison: 16
// model-only: what lies beyond is a device's own business
// expect 1 u32: 4*3
// finding finding_only_decides.comp:18: out of range (buffer): OpLoad of 'number[101]', bytes 404 to 407 of 16, invocation 0,0,0 of dispatch 0 (4 times)
// finding finding_only_decides.comp:20: undefined value: OpBranchConditional, which decides the way, invocation 0,0,0 of dispatch 0; from OpConvertFToU at finding_only_decides.comp:20, undefined for a value that does not fit (4 times)
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer I { uint number[]; };
layout(binding = 1) writeonly buffer O { uint result[]; };
void main() {
  const uint i = gl_LocalInvocationIndex, n = number[i];
  uint chosen = i;

  // Both are set again, or never used.
  uint unused = i;
  if (number[n + 100] == 7) chosen = n;
  chosen = 3;
  if (uint(float(n) * -1.5) == 7) unused = n;
  result[i] = chosen;
}
