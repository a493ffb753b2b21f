// -- Rounding toward zero and denormals flushed for 32-bit floats alone; operations on constants too.
// buffer 0 u32: 0x3f800000 0x33c00000 0x40400000 1 0x00800000 0x80800000 0x3f000000 16777219
// buffer 1 poison: 48
// model-only: no measured device takes RoundingModeRTZ and DenormFlushToZero
// expect 1 u32: 0x3f800000 0x3eaaaaaa 0 0x80000000 0x4b800001 1 0x3f800000 0x3eaaaaaa 0 0x3e2aaaaa 1 0
#version 460
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, 32);  // RoundingModeRTZ
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 32);  // DenormFlushToZero
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint result[]; };
layout(constant_id = 0) const float one = 1.0;
float f(uint i) { return uintBitsToFloat(a[i]); }
void main() {
  result[0] = floatBitsToUint(f(0) + f(1));
  result[1] = floatBitsToUint(f(0) / f(2));
  result[2] = floatBitsToUint(f(3) * f(0));
  result[3] = floatBitsToUint(f(5) * f(6));
  result[4] = floatBitsToUint(float(a[7]));
  result[5] = f(3) == 0.0 ? 1u : 0u;
  result[6] = floatBitsToUint(float(double(f(0)) + double(f(1))));
  result[7] = floatBitsToUint(one / 3.0);
  result[8] = floatBitsToUint(one * uintBitsToFloat(1u));
  result[9] = floatBitsToUint(mix(0.0, one / 3.0, f(6)));
  // 64-bit floats keep their own mode.
  result[10] = unpackDouble2x32(double(f(0)) + 1.6653345369377348e-16lf).x;  // 1.5 * 2^-53
  result[11] = uint(double(f(3)) != 0.0lf);
}
