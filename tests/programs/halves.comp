// -- 16-bit floats: every operation whose result is one correct rounding, or a formula of such
// -- halves_modf.spvasm has modf, for which glslang 15.1 declares an extension of AMD
// buffer 0 f16: 0x3e00 0xc080 0x3800 0xb800 0x4100 0x5640 0x2e66 0xc700
// buffer 1 f16: 0x3400 0x4200 0xbe00 0x4000 0x3a00 0xb4cd 0x4800 0xc000
// buffer 2 poison: 608
// expect 2 f16: definition
// differs nvidia: division, roots and what is made of them are not correctly rounded
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { float16_t xs[8]; };
layout(binding = 1) buffer B { float16_t ys[8]; };
layout(binding = 2) buffer C { float16_t o[38][8]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  float16_t x = xs[l], y = ys[l];
  int e;
  o[0][l] = x + y;
  o[1][l] = x - y;
  o[2][l] = x * y;
  o[3][l] = x / y;
  o[4][l] = -x;
  o[5][l] = abs(x);
  o[6][l] = sign(x);
  o[7][l] = floor(x);
  o[8][l] = ceil(x);
  o[9][l] = trunc(x);
  o[10][l] = roundEven(x);
  o[11][l] = fract(x);
  o[12][l] = min(x, y);
  o[13][l] = max(x, y);
  o[14][l] = clamp(x, float16_t(-1), float16_t(2));
  o[15][l] = mix(x, y, float16_t(0.25));
  o[16][l] = step(x, y);
  o[17][l] = smoothstep(float16_t(-3), float16_t(5), x);
  o[18][l] = fma(x, y, x);
  o[19][l] = sqrt(abs(x));
  o[20][l] = ldexp(x, 3);
  o[21][l] = mod(x, y);
  o[22][l] = frexp(x, e);
  o[22][l] += float16_t(e);
  o[23][l] = dot(f16vec3(x, y, x), f16vec3(y, y, 2));
  o[24][l] = length(f16vec2(x, y));
  o[25][l] = distance(f16vec2(x, y), f16vec2(1, 2));
  o[26][l] = normalize(f16vec2(x, y)).y;
  o[27][l] = cross(f16vec3(x, y, 1), f16vec3(2, x, y)).z;
  o[28][l] = faceforward(x, y, x);
  o[29][l] = reflect(f16vec2(x, y), f16vec2(1, 0)).x;
  o[30][l] = determinant(f16mat2(x, y, 2, 3));
  o[31][l] = (f16mat2(x, y, 4, 3) * f16vec2(y, x)).x;
  o[32][l] = float16_t(int(x * float16_t(3)));
  o[33][l] = float16_t(float(x) / 3.0);
  o[34][l] = float16_t(uint16_t(abs(x)) * 3us);
  o[35][l] = float16_t(double(x) * 0.1lf);
  o[36][l] = float16_t(int64_t(x) + 5l);
  o[37][l] = float16_t(x < y) + float16_t(2) * float16_t(x == y);
}
