#version 460
// Every texel of one level becomes 255 minus that of the other image, channel by channel.
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, rgba8ui) uniform readonly uimage2D source;
layout(set = 0, binding = 1, rgba8ui) uniform writeonly uimage2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(target)))) return;
  imageStore(target, at, 255u - imageLoad(source, at));
}
