// The texels of an image of several samples from a buffer, or into it: one word a component, in the order of ImageData's bytes. Built once
// for each integer format that has texels of one size; LAYOUT and WORDS say which.
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, LAYOUT) uniform uimage2DMSArray image;
layout(binding = 1, std430) buffer Texels { uint texels[]; };
layout(push_constant) uniform Push {
  uint toBuffer, samples;
};

void main() {
  uvec3 size = uvec3(imageSize(image)), at = gl_GlobalInvocationID;  // at.z: layer after layer, sample after sample
  if (at.x >= size.x || at.y >= size.y) return;
  uint first = WORDS * ((at.z * size.y + at.y) * size.x + at.x);
  ivec3 place = ivec3(at.xy, at.z / samples);
  int which = int(at.z % samples);
  if (toBuffer != 0u) {
    uvec4 texel = imageLoad(image, place, which);
    for (uint i = 0u; i < WORDS; ++i) texels[first + i] = texel[i];
  } else {
    uvec4 texel = uvec4(0u);
    for (uint i = 0u; i < WORDS; ++i) texel[i] = texels[first + i];
    imageStore(image, place, which, texel);
  }
}
