// A texel of the next level from any size: along an axis one texel, two of equal weight, or three weighted so that every texel of the
// level below counts the same in the whole. Include after pyramid_exact.glsl or, with FLOATS, pyramid_float.glsl; who includes it defines
// tap(). Only taps with weight are read.

// The texels of one axis that make texel j of the next level.
struct Taps {
  uint first, count;
  uvec3 weight;
  uint sum;
};

Taps tapsAt(uint j, uint size) {
  uint n = size >> 1;
  if (size == 1u) return Taps(0u, 1u, uvec3(1u, 0u, 0u), 1u);
  if ((size & 1u) == 0u) return Taps(2u * j, 2u, uvec3(1u, 1u, 0u), 2u);
  return Taps(2u * j, 3u, uvec3(n - j, n, j + 1u), size);
}

uvec2 nextSize(uvec2 size) { return max(size >> 1, uvec2(1u)); }

// The texel at a place of the level below, from the picture or, if it waits there, from workgroup memory.
VALUE tap(uvec2 at, bool waiting);

#ifdef FLOATS

VALUE reduceWindow(uvec2 j, uvec2 size, bool waiting) {
  Taps x = tapsAt(j.x, size.x), y = tapsAt(j.y, size.y);
  vec3 across = vec3(x.weight) * (1.0 / float(x.sum)), down = vec3(y.weight) * (1.0 / float(y.sum));
  VALUE mean = VALUE(0.0);
  for (uint i = 0u; i < x.count; ++i) {
    VALUE column = VALUE(0.0);
    for (uint k = 0u; k < y.count; ++k) column += down[k] * tap(uvec2(x.first + i, y.first + k), waiting);
    mean += across[i] * column;
  }
  return mean;
}

#else

// Sums that fit 32 bits: codes up to 255 (511 times the divisor is formed), light up to 2^24.
bool isNarrow(uint divisor) { return divisor <= (kSrgb ? 255u : 0xffffffffu / 511u); }

uint narrowMean(Taps x, Taps y, uint divisor, bool waiting) {
  uvec4 sum = uvec4(0u);
  for (uint k = 0u; k < y.count; ++k)
    for (uint i = 0u; i < x.count; ++i) sum += y.weight[k] * x.weight[i] * lightOf(tap(uvec2(x.first + i, y.first + k), waiting));
  uvec4 codes = (2u * sum + divisor) / (2u * divisor);
  if (kSrgb)
    for (int c = 0; c < 3; ++c) codes[c] = narrowSrgbCode(sum[c], divisor);
  return packed(codes);
}

// In 64 bits: low and high words of four sums.
uint wideMean(Taps x, Taps y, uint divisor, bool waiting) {
  uvec4 low = uvec4(0u), high = uvec4(0u), lowPart, highPart, carry;
  for (uint k = 0u; k < y.count; ++k)
    for (uint i = 0u; i < x.count; ++i) {
      umulExtended(lightOf(tap(uvec2(x.first + i, y.first + k), waiting)), uvec4(y.weight[k] * x.weight[i]), highPart, lowPart);
      low = uaddCarry(low, lowPart, carry);
      high += highPart + carry;
    }
  uvec4 codes;
  for (int c = 0; c < 4; ++c)
    codes[c] = kSrgb && c < 3 ? srgbCode(uvec2(low[c], high[c]), divisor) : wideRoundedCode(uvec2(low[c], high[c]), uvec2(divisor, 0u));
  return packed(codes);
}

uint reduceWindow(uvec2 j, uvec2 size, bool waiting) {
  Taps x = tapsAt(j.x, size.x), y = tapsAt(j.y, size.y);
  uint divisor = x.sum * y.sum;
  if (kReduction == kMean) return isNarrow(divisor) ? narrowMean(x, y, divisor, waiting) : wideMean(x, y, divisor, waiting);
  uint best = tap(uvec2(x.first, y.first), waiting);
  for (uint k = 0u; k < y.count; ++k)
    for (uint i = 0u; i < x.count; ++i) best = extremeOf(best, tap(uvec2(x.first + i, y.first + k), waiting));
  return best;
}

#endif
