// What the box blurs share: the pictures, the direction of a pass, reading along it, and the mean of a window's sum.
//
// Three arithmetics, one per module. SUMS_U32: codes and sums are integers, and a mean is floor((2 * sum + divisor) / (2 * divisor)). With
// the divisor 1 the sum itself is stored, so that a second pass rounds once for both. SUMS_F32, SUMS_F16: texels are UNORM or floats, and a
// mean is sum / divisor. Where the target holds codes the mean is rounded to a code here: devices round a UNORM store differently, but all
// of them store the multiples of 1/255 unchanged.
//
// Pictures are fetched without a sampler and stored without a format, so the plan alone decides the format between two passes.
#extension GL_EXT_samplerless_texture_functions : require
#include "edges.glsl"

// The pass goes along rows if false, along columns if true. A line is then a row or a column.
layout(constant_id = 1) const bool kVertical = false;
// Floats only: the target holds codes, multiples of 1/255.
layout(constant_id = 4) const bool kCodes = true;

#if defined(SUMS_F16)
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define SUM f16vec4
#define NUMBER float16_t
#elif defined(SUMS_F32)
#define SUM vec4
#define NUMBER float
#else
#define SUM uvec4
#endif

#if defined(NUMBER)
layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1) uniform writeonly restrict image2D target;
#else
layout(set = 0, binding = 0) uniform utexture2D source;
layout(set = 0, binding = 1) uniform writeonly restrict uimage2D target;
#endif

layout(push_constant) uniform Push {
  ivec2 size;  // of both pictures, in texels
  int radius;
  int segment;   // how many texels of a line an invocation handles, where it handles several
  uint divisor;  // of a sum; for integers, 1 stores the sum itself
  uint factor;   // integers: floor(n / (2 * divisor)) is n * factor >> (32 + shift) for n below 2^31
  uint shift;
} push;

int lineCount() { return kVertical ? push.size.x : push.size.y; }
int lineLength() { return kVertical ? push.size.y : push.size.x; }

ivec2 texelAt(int line, int i) { return kVertical ? ivec2(line, i) : ivec2(i, line); }

SUM fetchTexel(ivec2 at) { return SUM(texelFetch(source, at, 0)); }

// The texel at position i of a line. The position may lie outside of the picture.
SUM readTexel(int line, int i) {
  int inside = edgeIndex(i, lineLength());
  if (kEdge == kZero && inside < 0) return SUM(0);
  return fetchTexel(texelAt(line, inside));
}

// The sum of the window around position i.
SUM windowAt(int line, int i) {
  SUM sum = SUM(0);
  for (int j = -push.radius; j <= push.radius; ++j) sum += readTexel(line, i + j);
  return sum;
}

#if defined(NUMBER)
void writeMean(ivec2 at, SUM sum) {
  vec4 mean = vec4(sum / NUMBER(push.divisor));
  if (kCodes) mean = floor(255.0 * clamp(mean, 0.0, 1.0) + 0.5) * (1.0 / 255.0);
  imageStore(target, at, mean);
}
#else
void writeMean(ivec2 at, SUM sum) {
  uvec4 high, low;
  umulExtended(2u * sum + push.divisor, uvec4(push.factor), high, low);
  imageStore(target, at, high >> push.shift);
}
#endif
