#version 460
// Every texel of a layered, a deep and a flat image says where it is: x + 10 y + 100 layer or slice.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(set = 0, binding = 0, r32ui) uniform writeonly uimage2DArray layers;
layout(set = 0, binding = 1, r32ui) uniform writeonly uimage3D slices;
layout(set = 0, binding = 2, r32ui) uniform writeonly uimage1D line;
void main() {
  ivec3 at = ivec3(gl_LocalInvocationID);
  uvec4 place = uvec4(uint(at.x + 10 * at.y + 100 * at.z));
  if (all(lessThan(at, imageSize(layers)))) imageStore(layers, at, place);
  if (all(lessThan(at, imageSize(slices)))) imageStore(slices, at, place);
  if (at.x < imageSize(line) && at.y == 0 && at.z == 0) imageStore(line, at.x, place);
}
