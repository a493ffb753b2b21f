#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// What a debugger's expressions are compared with: each line stores, as two words, the value of the text between its brackets, of values
// that three words of the invocation are read as (tests/model/debug/arithmetic_test.cpp).
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer Words { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec2 results[]; };
layout(push_constant) uniform Push { uint count; };

uint at;
void put(uvec2 value) { results[at++] = value; }
#define UINT(e) put(uvec2(e, 0))
#define INT(e) put(uvec2(uint(e), 0))
#define FLOAT(e) put(uvec2(floatBitsToUint(e), 0))
#define BOOL(e) put(uvec2((e) ? 1u : 0u, 0))
#define DOUBLE(e) put(unpackDouble2x32(e))
#define LONG(e) put(unpackUint2x32(uint64_t(e)))
#define ULONG(e) put(unpackUint2x32(e))
// HLSL's names.
#define asfloat uintBitsToFloat
#define asint floatBitsToInt
#define asuint floatBitsToUint

void main() {
  const uint n = gl_GlobalInvocationID.x;
  at = n * count;
  const uint u = words[n * 3], v = words[n * 3 + 1], w = words[n * 3 + 2];
  const int i = int(u), j = int(v), k = int(w);
  const float x = uintBitsToFloat(u), y = uintBitsToFloat(v), z = uintBitsToFloat(w);
  const bool b = (u & 1u) != 0u, c = (v & 1u) != 0u;
  const uint64_t ul = packUint2x32(uvec2(w, u)), um = packUint2x32(uvec2(u, v));
  const int64_t l = int64_t(ul), m = int64_t(um);
  const double d = packDouble2x32(uvec2(w, u)), e = packDouble2x32(uvec2(u, v));
  const mat2x3 q = mat2x3(x, y, z, z, x, y);

  FLOAT(x + y);
  FLOAT(x - y);
  FLOAT(x * y);
  FLOAT(x / y);
  FLOAT(-x);
  FLOAT(abs(x));
  FLOAT(floor(x));
  FLOAT(ceil(x));
  FLOAT(trunc(x));
  FLOAT(round(x));
  FLOAT(fract(x));
  FLOAT(sqrt(x));
  FLOAT(min(x, y));
  FLOAT(max(x, y));
  FLOAT(clamp(x, y, z));
  FLOAT(mod(x, y));
  FLOAT(dot(vec2(x, y), vec2(y, z)));
  FLOAT(length(vec2(x, y)));
  FLOAT(transpose(q)[1].y);
  FLOAT((q * vec2(x, z)).y);
  FLOAT((vec3(z, x, y) * q).x);
  FLOAT((transpose(q) * q)[0].y);
  FLOAT((q - x * q)[1].z);
  FLOAT((-q)[0].x);
  BOOL(q == q);
  BOOL(q != 2.0 * q);
  FLOAT(float(i));
  FLOAT(float(u));
  FLOAT(float(b));
  FLOAT(float(l));
  FLOAT(float(ul));
  FLOAT(float(d));
  FLOAT(uintBitsToFloat(u));
  FLOAT(intBitsToFloat(i));
  FLOAT(asfloat(u));
  FLOAT(b ? x : y);

  INT(i + j);
  INT(i - j);
  INT(i * j);
  INT(i / j);
  INT(i % j);
  INT(-i);
  INT(~i);
  INT(i & j);
  INT(i | j);
  INT(i ^ j);
  INT(i << j);
  INT(i >> j);
  INT(abs(i));
  INT(min(i, j));
  INT(max(i, j));
  INT(clamp(i, j, k));
  INT(int(x));
  INT(int(u));
  INT(int(b));
  INT(int(l));
  INT(int(d));
  INT(floatBitsToInt(x));
  INT(asint(x));

  UINT(u + v);
  UINT(u - v);
  UINT(u * v);
  UINT(u / v);
  UINT(u % v);
  UINT(-u);
  UINT(~u);
  UINT(u & v);
  UINT(u | v);
  UINT(u ^ v);
  UINT(u << v);
  UINT(u >> v);
  UINT(min(u, v));
  UINT(max(u, v));
  UINT(clamp(u, v, w));
  UINT(uint(x));
  UINT(uint(i));
  UINT(uint(b));
  UINT(uint(l));
  UINT(uint(d));
  UINT(floatBitsToUint(x));
  UINT(asuint(x));
  UINT(i + u);

  BOOL(x == y);
  BOOL(x != y);
  BOOL(x < y);
  BOOL(x <= y);
  BOOL(x > y);
  BOOL(x >= y);
  BOOL(i == j);
  BOOL(i != j);
  BOOL(i < j);
  BOOL(i <= j);
  BOOL(i > j);
  BOOL(i >= j);
  BOOL(u == v);
  BOOL(u != v);
  BOOL(u < v);
  BOOL(u <= v);
  BOOL(u > v);
  BOOL(u >= v);
  BOOL(i < u);
  BOOL(d == e);
  BOOL(d != e);
  BOOL(d < e);
  BOOL(l < m);
  BOOL(l >= m);
  BOOL(ul < um);
  BOOL(b == c);
  BOOL(b != c);
  BOOL(!b);
  BOOL(b && c);
  BOOL(b || c);
  BOOL(bool(x));
  BOOL(bool(i));
  BOOL(bool(u));
  BOOL(isnan(x));
  BOOL(isinf(x));
  BOOL(all(bvec2(b, c)));
  BOOL(any(bvec2(b, c)));
  BOOL(ivec2(i, j) == ivec2(j, i));
  BOOL(vec2(x, y) != vec2(y, x));

  DOUBLE(d + e);
  DOUBLE(d - e);
  DOUBLE(d * e);
  DOUBLE(d / e);
  DOUBLE(-d);
  DOUBLE(abs(d));
  DOUBLE(floor(d));
  DOUBLE(sqrt(d));
  DOUBLE(min(d, e));
  DOUBLE(max(d, e));
  DOUBLE(double(x));
  DOUBLE(double(i));
  DOUBLE(double(u));
  DOUBLE(double(l));
  DOUBLE(double(ul));
  DOUBLE(d + x);

  LONG(l + m);
  LONG(l - m);
  LONG(l * m);
  LONG(l / m);
  LONG(l % m);
  LONG(-l);
  LONG(~l);
  LONG(l & m);
  LONG(l << j);
  LONG(l >> j);
  LONG(min(l, m));
  LONG(int64_t(x));
  LONG(int64_t(d));
  LONG(int64_t(i));
  LONG(int64_t(u));

  ULONG(ul / um);
  ULONG(ul % um);
  ULONG(ul >> v);
  ULONG(max(ul, um));
  ULONG(uint64_t(x));
  ULONG(uint64_t(d));
  ULONG(uint64_t(i));
  ULONG(uint64_t(u));

  at = 0;  // here all of them are known
}
