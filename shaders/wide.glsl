// Unsigned numbers of 64 bits as (low, high), for devices without 64-bit integers. All operations wrap modulo 2^64.
uvec2 wideAdd(uvec2 a, uvec2 b) {
  uint carry;
  uint low = uaddCarry(a.x, b.x, carry);
  return uvec2(low, a.y + b.y + carry);
}

uvec2 wideProduct(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return uvec2(low, high);
}

uvec2 wideTimes(uvec2 a, uint b) {
  uvec2 product = wideProduct(a.x, b);
  return uvec2(product.x, product.y + a.y * b);
}

uvec2 wideDouble(uvec2 a) { return uvec2(a.x << 1, a.y << 1 | a.x >> 31); }

bool wideAtMost(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x <= b.x); }

// floor(sum / divisor + 1/2) for quotients up to 255: the number of odd multiples (2k + 1) * divisor that are at most 2 * sum.
// 511 * divisor must fit 64 bits.
uint wideRoundedCode(uvec2 sum, uvec2 divisor) {
  uvec2 twice = wideDouble(sum);
  uint code = 0u;
  for (uint bit = 128u; bit > 0u; bit >>= 1)
    if (wideAtMost(wideTimes(divisor, 2u * (code + bit) - 1u), twice)) code += bit;
  return code;
}
