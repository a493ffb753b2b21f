// broken/pyramid-shared-column: two levels per dispatch along one axis. A workgroup makes 8 texels of the second level and all those of the
// first that they need. Where the first level is odd, two workgroups make and write the texel between them (N3). Both write the same value:
// no byte is wrong, but it is a race. Smallest: 38x1, texel 16 of level 1.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 32) in;

#include "pyramid_exact.glsl"
#include "pyramid_window.glsl"

shared uint between[17];

uint waitingAt(uvec2 at) { return between[at.x]; }

void main() {
  uvec2 first = nextSize(push.size), second = nextSize(first);
  uint begin = 8u * groupHere(), count = min(8u, second.x - begin), i = gl_LocalInvocationIndex;
  Taps last = tapsAt(begin + count - 1u, first.x);
  if (i < last.first + last.count - 2u * begin) {
    between[i] = texelAbove(uvec2(2u * begin + i, 0u));
    STORE(1, uvec2(2u * begin + i, 0u), between[i]);  // the defect: texel 16 is the next workgroup's
  }
  barrier();
  if (i < count) STORE(2, uvec2(begin + i, 0u), reduceWindow(uvec2(begin + i, 0u), first, uvec2(2u * begin, 0u)));
}
