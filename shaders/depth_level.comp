// depth/*/multipass: one level of a depth pyramid from the level below it, one invocation per texel. A barrier between dispatches orders
// the levels.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "depth_window.glsl"

layout(local_size_x_id = 1, local_size_y_id = 1) in;
layout(constant_id = 1) const uint kSide = 16u;

layout(set = 0, binding = 0, r32f) uniform readonly restrict image2D below;
layout(set = 0, binding = 1, r32f) uniform writeonly restrict image2D target;
layout(push_constant) uniform Push {
  uvec2 size;  // of the level below
  uint reduction;
} push;

#include "depth.glsl"

int keyAt(uvec2 at) { return keyOf(imageLoad(below, ivec2(at)).x); }

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(at, max(push.size / 2u, uvec2(1u))))) return;
  Window w = windowOf(at, push.size);
  int best = keyAt(w.first);
  for (uint y = 0u; y <= w.last.y; ++y)
    for (uint x = 0u; x <= w.last.x; ++x) best = max(best, keyAt(w.first + uvec2(x, y)));
  imageStore(target, ivec2(at), vec4(depthOf(best)));
}
