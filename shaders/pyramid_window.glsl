// A texel of the next level from any size: along an axis one texel, two of equal weight, or three weighted so that every texel of the
// level below counts the same in the whole. Include after pyramid.glsl; who includes it defines tap().

// The texels of one axis that make texel j of the next level.
struct Taps {
  uint first, count;
  uvec3 weight;
  uint sum;
};

Taps tapsAt(uint j, uint size) {
  if (size == 1u) return Taps(0u, 1u, uvec3(1u, 0u, 0u), 1u);
  uint half_ = size >> 1;
  if ((size & 1u) == 0u) return Taps(2u * j, 2u, uvec3(1u, 1u, 0u), 2u);
  return Taps(2u * j, 3u, uvec3(half_ - j, half_, j + 1u), size);
}

uvec2 nextSize(uvec2 size) { return max(size >> 1, uvec2(1u)); }

// The word at a place of the level below, from the picture or, if it waits there, from workgroup memory.
uint tap(uvec2 at, bool waiting);

// Sums that fit 32 bits: codes up to 255 (511 * divisor is formed), light up to 2^24.
bool isNarrow(uint divisor) { return divisor <= (kSrgb ? 255u : 0xffffffffu / 511u); }

uint narrowMean(Taps x, Taps y, uint divisor, bool waiting) {
  uvec4 sum = uvec4(0u);
  for (uint j = 0u; j < y.count; ++j)
    for (uint i = 0u; i < x.count; ++i) sum += y.weight[j] * x.weight[i] * lightOf(tap(uvec2(x.first + i, y.first + j), waiting));
  uvec4 codes = (2u * sum + divisor) / (2u * divisor);
  if (kSrgb)
    for (int c = 0; c < 3; ++c) codes[c] = srgbCode(uvec2(sum[c], 0u), divisor);
  return packed(codes);
}

uint wideMean(Taps x, Taps y, uint divisor, bool waiting) {
  uvec4 low = uvec4(0u), high = uvec4(0u), lowPart, highPart, carry;
  for (uint j = 0u; j < y.count; ++j)
    for (uint i = 0u; i < x.count; ++i) {
      umulExtended(lightOf(tap(uvec2(x.first + i, y.first + j), waiting)), uvec4(y.weight[j] * x.weight[i]), highPart, lowPart);
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
    for (uint i = 0u; i < x.count; ++i) {
      uint word = tap(uvec2(x.first + i, y.first + k), waiting);
      best = extremeOf(uvec4(best, word, word, word));
    }
  return best;
}
