// -- operations that have no result for their operands: where it is used, that is told. Near misses: the same operations where a selection
// -- takes the other side, where the result is not used, and with the last operands that have a result
// buffer 0 u32: 0 1 2 3
// buffer 1 f32: -1 0.5 3e9 5e9
// buffer 2 poison: 128
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// expect 0 u32: 0 1 2 3
// expect 1 f32: -1 0.5 3e9 5e9
// -- 12 / a, 1 << (31 + i), uint(-f), clamp(1, a, 1); then the near misses
// expect 2 u32: 4294967295 12 6 4 2147483648 1 2 4 1 0 0 0 1 1 1 1
// expect 2 u32: 7 12 6 4 268435456 536870912 1073741824 2147483648 2 2 2 3 1 0 3000000000 1
// finding undefined_operands.comp:33: undefined value: OpStore of 'o[0]', an output of the job, invocation 0,0,0 of dispatch 0; from OpUDiv at undefined_operands.comp:33, undefined for a divisor of 0
// finding undefined_operands.comp:34: undefined value: OpStore of 'o[5]', an output of the job, invocation 1,0,0 of dispatch 0; from OpShiftLeftLogical at undefined_operands.comp:34, undefined for a shift by the width or more
// finding undefined_operands.comp:35: undefined value: OpStore of 'o[10]', an output of the job, invocation 2,0,0 of dispatch 0; from OpConvertFToU at undefined_operands.comp:35, undefined for a value that does not fit
// finding undefined_operands.comp:36: undefined value: OpStore of 'o[14]', an output of the job, invocation 2,0,0 of dispatch 0; from UClamp at undefined_operands.comp:36, undefined for low > high
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer F { float f[]; };
layout(binding = 2) buffer O { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  // Near misses.
  o[16 + i] = i == 0 ? 7 : 12 / a[i];
  const uint unused = 1 / a[i];
  o[20 + i] = 1u << (28 + i);
  o[24 + i] = clamp(i, 2u, max(2u, a[i]));
  const uint wide = uint(f[i]);
  o[28 + i] = f[i] > 4294967040.0 || f[i] < 0 ? 1 : wide;


  o[i] = 12 / a[i];
  o[4 + i] = 1u << (31 + i);
  o[8 + i] = uint(-f[i]);
  o[12 + i] = clamp(1u, a[i], 1u);
}
