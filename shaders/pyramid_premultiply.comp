// pyramid/energy, premultiplied: multiplies the colours of level 0 by its alpha, in place: floor((2 c a + 255) / 510).
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, rgba8ui) uniform restrict uimage2D base;
layout(push_constant) uniform Push { uvec2 size; } push;

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  uvec4 codes = imageLoad(base, ivec2(at));
  imageStore(base, ivec2(at), uvec4((2u * codes.rgb * codes.a + 255u) / 510u, codes.a));
}
