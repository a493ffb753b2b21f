// Which texels of level l a texel of level l + 1 takes, along both axes: 2j, 2j + 1, and 2j + 2 where `third` says so (contracts: floor,
// conservative, conservative-uv). An axis of 1 stays 1: its taps all clamp to 0.
const uint kFloor = 0u, kConservative = 1u, kConservativeUv = 2u;
layout(constant_id = 3) const uint kForm = kConservative;

// For texels `at` of the level above one of `size` texels.
uvec2 thirdTap(uvec2 at, uvec2 size) {
  if (kForm == kFloor) return uvec2(0u);
  uvec2 odd = size & 1u;
  return kForm == kConservativeUv ? odd : odd * uvec2(equal(2u * at + 3u, size));
}

// The taps' first, and how far the second and the last lie from it.
struct Window {
  uvec2 first, second, last;
};

Window windowOf(uvec2 at, uvec2 size) {
  uvec2 second = uvec2(greaterThan(size, uvec2(1u)));
  return Window(2u * at * second, second, second * (1u + thirdTap(at, size)));
}
