// -- texels outside of their image, and a level that is not there
// image 0 r32ui 2d 4x2 u32: 0..7
// image 1 r32ui 2d 4x4 levels 2 u32: 0..19
// buffer 2 poison: 16
// model-only: the line of each access is the model's business
// expect 2 u32: 4 0 0 0
// finding finding_texel.comp:18: out of range (texel): OpImageRead of 'image[0,2]', outside of 4x2x1, invocation 2,0,0 of dispatch 0 (2 times)
// finding finding_texel.comp:19: out of range (texel): OpImageWrite of 'image[-1,0]', outside of 4x2x1, invocation 3,0,0 of dispatch 0
// finding finding_texel.comp:21: out of range (level): OpImageFetch of 'levels', level 2, invocation 3,0,0 of dispatch 0
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 4) in;
layout(binding = 0, r32ui) uniform uimage2D image;
layout(binding = 1) uniform utexture2D levels;
layout(binding = 2) buffer B { uint o[]; };
void main() {
  const int i = int(gl_LocalInvocationIndex);
  const uint seen = imageLoad(image, ivec2(0, i)).x;
  if (i == 3) imageStore(image, ivec2(-1, 0), uvec4(9));
  const int level = i == 3 ? 2 : i & 1;
  const uint fetched = texelFetch(levels, ivec2(0, 0), level).x;
  o[i] = i == 1 ? 0 : i == 0 ? imageLoad(image, ivec2(0, 1)).x : seen + (i == 3 ? fetched : 0);
}
