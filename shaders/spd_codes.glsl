// Four codes of 8 bits in one word, reduced exactly: the mean is floor((a + b + c + d + 2) / 4) on every level. The including file says
// which REDUCTION.
const uint kMean = 0u, kLeast = 1u, kGreatest = 2u;

uvec4 codesOf(uint v) { return (uvec4(v) >> uvec4(0u, 8u, 16u, 24u)) & 255u; }
uint wordOf(uvec4 c) { return c.x | (c.y << 8) | (c.z << 16) | (c.w << 24); }

// Two codes per word, 16 bits apart: their sums stay below 2^10.
uint meanOfPairs(uint a, uint b, uint c, uint d) {
  const uint kPairs = 0x00ff00ffu;
  return (((a & kPairs) + (b & kPairs) + (c & kPairs) + (d & kPairs) + 0x00020002u) >> 2) & kPairs;
}

uint reduceCodes(uint a, uint b, uint c, uint d) {
  if (REDUCTION == kMean) return meanOfPairs(a, b, c, d) | (meanOfPairs(a >> 8, b >> 8, c >> 8, d >> 8) << 8);
  uint turn = REDUCTION == kLeast ? 0xffffffffu : 0u;  // the least code is the greatest of the inverted codes
  uvec4 p = codesOf(a ^ turn), q = codesOf(b ^ turn), r = codesOf(c ^ turn), s = codesOf(d ^ turn);
  return wordOf(max(max(p, q), max(r, s))) ^ turn;
}
