// pyramid/traffic: only the memory traffic of a pyramid, which bounds its speed. Every base texel is read once, every texel of every level
// is written once, and none is read back, so no invocation waits for another. A texel of level 1 is the greatest of the texels that it
// covers. The levels above are picked from level 1.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, rgba8ui) uniform restrict uimage2D levels[16];
layout(push_constant) uniform Push {
  uvec2 size;  // of the base
  uint count;  // of levels
} push;

bool isAt(uvec2 at, uint l) {
  uvec2 place = at >> (l - 1u);
  return l < push.count && place << (l - 1u) == at && all(lessThan(place, max(push.size >> l, uvec2(1u))));
}

// Each index is a constant: SwiftShader crashes where the index of a picture comes from a loop that no invocation enters.
#define WRITE(l) \
  if (isAt(at, l)) imageStore(levels[l], ivec2(at >> (l - 1u)), best);

void main() {
  uvec2 at = gl_GlobalInvocationID.xy, first = max(push.size >> 1, uvec2(1u));
  if (at.x >= first.x || at.y >= first.y || push.count < 2u) return;
  uvec2 begin = 2u * at, end = mix(min(begin + 2u, push.size), push.size, equal(at, first - 1u));
  uvec4 best = uvec4(0u);
  for (uint y = begin.y; y < end.y; ++y)
    for (uint x = begin.x; x < end.x; ++x) best = max(best, imageLoad(levels[0], ivec2(x, y)));
  WRITE(1) WRITE(2) WRITE(3) WRITE(4) WRITE(5) WRITE(6) WRITE(7) WRITE(8)
  WRITE(9) WRITE(10) WRITE(11) WRITE(12) WRITE(13) WRITE(14)
}
