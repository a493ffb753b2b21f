// 5x5 convolution of a float image, with constant weights, edges clamped.
// small: --groups 3,2 --image src=f32:noise:368:r32f:23x16 --image dst=zeros:r32f:23x16
// large: --groups 64,64 --image src=f32:noise:262144:r32f:512x512 --image dst=zeros:r32f:512x512
// differs: 1e-5 sums of products may be contracted
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32f) uniform readonly image2D src;
layout(binding = 1, r32f) uniform writeonly image2D dst;

const float W[25] = float[25](
    1, 4, 6, 4, 1,
    4, 16, 24, 16, 4,
    6, 24, 36, 24, 6,
    4, 16, 24, 16, 4,
    1, 4, 6, 4, 1);

void main() {
  ivec2 size = imageSize(src);
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, size))) return;
  float sum = 0.0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) {
      ivec2 q = clamp(p + ivec2(x, y), ivec2(0), size - 1);
      sum += W[(y + 2) * 5 + x + 2] * imageLoad(src, q).r;
    }
  imageStore(dst, p, vec4(sum / 256.0));
}
