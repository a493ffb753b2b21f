// The texels of an axis that make texel j of the next level, by the energy pyramids' contract: one, two of equal weight, or three weighted so
// that every texel of the level below counts the same in the whole. Only taps with weight count.
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
