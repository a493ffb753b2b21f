// buffer 0 f32: 0 1 -1 0.5 0.25 -0.3 2 -2 0.999 0.0019 65504 1e-5 70000 0.33 -7 3.14159
// buffer 1 poison: 256
// expect 1 u32: definition
// differs swiftshader: packHalf2x16 above 65568 and below the smallest normal half
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { vec4 a[]; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  vec4 x = a[l];
  uint b = l * 16;
  o[b] = packUnorm4x8(x); o[b + 1] = packSnorm4x8(x); o[b + 2] = packUnorm2x16(x.xy); o[b + 3] = packSnorm2x16(x.zw); o[b + 4] = packHalf2x16(x.xy); o[b + 5] = packHalf2x16(x.zw);
  vec2 h = unpackHalf2x16(o[b + 4]); o[b + 6] = floatBitsToUint(h.x); o[b + 7] = floatBitsToUint(h.y);
  uint k = 0x80ff017fu + l;
  for (int i = 0; i < 4; ++i) { o[b + 8 + i] = uint(round(unpackUnorm4x8(k)[i] * 255.0)); o[b + 12 + i] = uint(int(round(unpackSnorm4x8(k)[i] * 127.0))); }
}
