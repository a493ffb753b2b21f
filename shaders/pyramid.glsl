// What all energy pyramids share: what a dispatch makes, and how its groups are counted. Included by pyramid_exact.glsl and
// pyramid_float.glsl, which say what a texel is while it is worked with:
//   VALUE, WAITING              its type in registers and in workgroup memory; keep() and kept() between them
//   TAP                         a texel of the level that is read, as it lies there; tapOf() makes a VALUE of it, of which 1 is kTapUnit
//   Quad, readQuad(at)          2x2 of them at twice `at`, in the order (0, 1), (1, 1), (1, 0), (0, 0); beyond an edge stands the edge's texel
//   meanOf(quad)                the mean (least, greatest) of the four
//   reduceQuad(a, b, c, d)      the mean (least, greatest) of four of equal weight
//   STORE(l, at, value)         to level l above it
layout(constant_id = 1) const bool kSrgb = false;   // channels 0 to 2 are sRGB codes
layout(constant_id = 2) const uint kLevels = 1u;    // that a dispatch makes

layout(push_constant) uniform Push {
  uvec2 size;  // of the level that is read
  uint tiles;  // that the dispatch has work for; it may have more groups
} push;

// Groups are counted along x, then y: a dispatch may need more than an axis takes.
uint groupHere() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
