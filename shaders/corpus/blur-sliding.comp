// A sliding box blur of columns, one invocation a column, four channels of bytes.
// small: --groups 1 --push u32:40,17,3 --buffer source=u32:noise:680 --out target=-:2720
// large: --groups 16 --push u32:1024,1024,15 --buffer source=u32:noise:1048576 --out target=-:4194304
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Input { uint texels[]; } source;
layout(binding = 1) writeonly buffer Output { uint texels[]; } target;
layout(push_constant) uniform Picture { uint width; uint height; uint radius; } picture;
uvec4 fetch(int y) {
  uint texel = source.texels[uint(clamp(y, 0, int(picture.height) - 1)) * picture.width + gl_GlobalInvocationID.x];
  return uvec4(bitfieldExtract(texel, 0, 8), bitfieldExtract(texel, 8, 8), bitfieldExtract(texel, 16, 8), bitfieldExtract(texel, 24, 8));
}
void main() {
  if (gl_GlobalInvocationID.x >= picture.width) return;
  int r = int(picture.radius);
  uvec4 sum = uvec4(0);
  for (int y = -r; y < r; ++y) sum += fetch(y);
  for (int y = 0; y < int(picture.height); ++y) {
    sum += fetch(y + r);
    uvec4 mean = sum / (2 * picture.radius + 1);
    target.texels[uint(y) * picture.width + gl_GlobalInvocationID.x] = mean.r | (mean.g << 8) | (mean.b << 16) | (mean.a << 24);
    sum -= fetch(y - r);
  }
}
