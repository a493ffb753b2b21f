#version 460
// 1 / sqrt(c * c + 1) of every code: Vulkan lets the root be 2 ULP off, and nothing before it is inexact.
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, rgba8ui) uniform readonly uimage2D source;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(target)))) return;
  uvec4 codes = imageLoad(source, at);
  vec4 squares = vec4(codes * codes + 1u);
  imageStore(target, at, inversesqrt(squares));
}
