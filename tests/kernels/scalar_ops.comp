#version 460
// One operation, chosen by a push constant, on each element of three buffers: what a device makes of the scalar semantics. The numbers are
// those of kOperations in scalar_device_operations.h.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint c[]; };
layout(set = 0, binding = 3) writeonly buffer R { uint result[]; };
layout(push_constant) uniform Push { uint operation, count; };

uint floats(float x, float y, float z) {
  precise float r = 0.0;
  switch (operation) {
    case 0: r = x + y; break;
    case 1: r = x - y; break;
    case 2: r = x * y; break;
    case 3: r = x / y; break;
    case 4: r = fma(x, y, z); break;
    case 5: r = x * y + z; break;
    case 6: r = sqrt(x); break;
    case 7: r = inversesqrt(x); break;
    case 8: r = min(x, y); break;
    case 9: r = max(x, y); break;
    case 10: r = clamp(x, 0.0, 1.0); break;
    case 11: r = mix(x, y, z); break;
    case 12: r = smoothstep(x, y, z); break;
    case 13: r = fract(x); break;
    case 14: r = mod(x, y); break;
    case 15: r = floor(x); break;
    case 16: r = ceil(x); break;
    case 17: r = trunc(x); break;
    case 18: r = roundEven(x); break;
    case 19: r = round(x); break;
    case 20: r = step(x, y); break;
    case 21: r = sign(x); break;
    case 22: r = abs(x); break;
    case 23: r = -x; break;
    case 24: r = degrees(x); break;
    case 25: r = radians(x); break;
  }
  return floatBitsToUint(r);
}

uint others(uint x, uint y, uint z) {
  const float f = uintBitsToFloat(x), g = uintBitsToFloat(y);
  const int i = int(x), j = int(y);
  uint high = 0u, low = 0u;
  int shigh = 0, slow = 0;
  switch (operation) {
    case 26: return uint(f);
    case 27: return uint(int(f));
    case 28: return floatBitsToUint(float(x));
    case 29: return floatBitsToUint(float(i));
    case 30: return packHalf2x16(vec2(f, g));
    case 31: return floatBitsToUint(unpackHalf2x16(x).x);
    case 32: return packUnorm4x8(vec4(f, g, f, g));
    case 33: return packSnorm4x8(vec4(f, g, f, g));
    case 34: return packUnorm2x16(vec2(f, g));
    case 35: return packSnorm2x16(vec2(f, g));
    case 36: return floatBitsToUint(unpackUnorm4x8(x).y);
    case 37: return floatBitsToUint(unpackSnorm4x8(x).z);
    case 38: return floatBitsToUint(unpackUnorm2x16(x).y);
    case 39: return floatBitsToUint(unpackSnorm2x16(x).x);
    case 40: return x / y;
    case 41: return x % y;
    case 42: return uint(i / j);
    case 43: return uint(i % j);
    case 44: return bitfieldInsert(x, y, int(z & 15u), int(z >> 8 & 15u));
    case 45: return bitfieldExtract(x, int(z & 15u), int(z >> 8 & 15u));
    case 46: return uint(bitfieldExtract(i, int(z & 15u), int(z >> 8 & 15u)));
    case 47: return bitfieldReverse(x);
    case 48: return uint(bitCount(x));
    case 49: return uint(findLSB(x));
    case 50: return uint(findMSB(x));
    case 51: return uint(findMSB(i));
    case 52: return x << (y & 63u);
    case 53: return x >> (y & 63u);
    case 54: return uint(i >> (j & 63));
    case 55: umulExtended(x, y, high, low); return high;
    case 56: imulExtended(i, j, shigh, slow); return uint(shigh);
    case 57: uaddCarry(x, y, high); return high;
    case 58: usubBorrow(x, y, high); return high;
    case 59: return uint(f < g) | uint(f <= g) << 1 | uint(f == g) << 2 | uint(f != g) << 3 | uint(isnan(f)) << 4 | uint(isinf(f)) << 5;
    case 60: return floatBitsToUint(ldexp(f, clamp(j >> 23, -120, 120)));
    case 61: return floatBitsToUint(frexp(f, slow));
    case 62: frexp(f, slow); return uint(slow);
    case 63: return floatBitsToUint(pow(float(x & 1u), float(y & 1u)));
  }
  return 0u;
}

void main() {
  const uint n = gl_GlobalInvocationID.x;
  if (n >= count) return;
  result[n] = operation < 26u ? floats(uintBitsToFloat(a[n]), uintBitsToFloat(b[n]), uintBitsToFloat(c[n])) : others(a[n], b[n], c[n]);
}
