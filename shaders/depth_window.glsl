// The texels of level l that texel j of level l + 1 takes, along each axis: 2j, 2j + 1, and where thirdTap() is 1 also 2j + 2
// (docs/contracts.md, 5). An axis of 1 stays 1: all its taps are texel 0.
const uint kFloor = 0u, kConservative = 1u, kConservativeUv = 2u;
layout(constant_id = 3) const uint kForm = kConservative;

// For each axis, 1 where texel `at` takes a third tap, else 0. `size` is that of the level below.
uvec2 thirdTap(uvec2 at, uvec2 size) {
  if (kForm == kFloor) return uvec2(0u);
  uvec2 odd = size & 1u;
  return kForm == kConservativeUv ? odd : odd * uvec2(equal(2u * at + 3u, size));
}

// The first tap, and the offsets of the second and the last from it.
struct Window {
  uvec2 first, second, last;
};

Window windowOf(uvec2 at, uvec2 size) {
  uvec2 second = uvec2(greaterThan(size, uvec2(1u)));
  return Window(2u * at * second, second, second * (1u + thirdTap(at, size)));
}
