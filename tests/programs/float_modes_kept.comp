// -- execution modes that ask for what the model does anyway: rounding to even, denormals, signed zeros, infinities and NaNs kept
// model-only: few devices take all three
// buffer 0 u32: 0x3f800000 0x33800000 0x00000003 0x80000000
// buffer 1 poison: 20
// expect 1 u32: 0x3f800000 0x00000002 0x80000000 0xff800000 0x7fc00000
#version 460
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 32);  // DenormPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);  // SignedZeroInfNanPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 32);  // RoundingModeRTE
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
float f(uint i) { return uintBitsToFloat(a[i]); }
void main() {
  o[0] = floatBitsToUint(f(0) + f(1));
  o[1] = floatBitsToUint(f(2) * 0.5);
  o[2] = floatBitsToUint(f(3) * f(0));
  o[3] = floatBitsToUint(f(0) / f(3));
  o[4] = floatBitsToUint(f(3) / f(3));  // 0 / 0: a NaN, and with SignedZeroInfNanPreserve no undefined value
}
