// The bucket of a texel in the fingerprint histogram: 3 bits each of red, green and blue, 2 bits of location. The location is 2 *
// floor(2y / H) + floor(2x / W). Inside of the picture each quotient is 0 or 1, so a comparison computes it, for odd sizes and a side of
// 1 too.
const uint kBuckets = 2048u;

uint bucketOf(uvec4 texel, uvec2 at, uvec2 size) {
  uint location = 2u * uint(2u * at.y >= size.y) + uint(2u * at.x >= size.x);
  return (texel.r >> 5) << 8 | (texel.g >> 5) << 5 | (texel.b >> 5) << 2 | location;
}
