// What all energy pyramids share: what a dispatch makes, and how its workgroups are counted. pyramid_exact.glsl and pyramid_float.glsl
// include this file. They define what a texel is during the computation:
//   VALUE, WAITING              its type in registers and in workgroup memory; keep() and kept() convert
//   TAP                         a texel as read from the level below; the weight kTapUnit makes a VALUE of it
//   Quad, readQuad(at)          2x2 of them at twice `at`, in the order (0, 1), (1, 1), (1, 0), (0, 0); clamped at the edges
//   meanOf(quad)                the mean (least, greatest) of the four
//   reduceQuad(a, b, c, d)      the mean (least, greatest) of four of equal weight
//   STORE(l, at, value)         stores a texel l levels above the level that is read
layout(constant_id = 1) const bool kSrgb = false;   // channels 0 to 2 are sRGB codes
layout(constant_id = 2) const uint kLevels = 1u;    // the number that a dispatch makes

layout(push_constant) uniform Push {
  uvec2 size;  // of the level that is read
  uint tiles;  // that the dispatch makes; it may have more workgroups
} push;

// Workgroups are counted along x, then y: a dispatch may need more of them than one axis allows.
uint groupHere() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
