// Bilateral filter of a grey float image, radius 3, with exponentials of distance and of difference.
// small: --groups 2,2 --push f32:4.5,0.02 --image noisy=f32:noise:225:r32f:15x15 --image smooth_=zeros:r32f:15x15
// large: --groups 32,32 --push f32:4.5,0.02 --image noisy=f32:noise:65536:r32f:256x256 --image smooth_=zeros:r32f:256x256
// differs: 1e-3 exponentials and divisions
// transcendental
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32f) uniform readonly image2D noisy;
layout(binding = 1, r32f) uniform writeonly image2D smooth_;
layout(push_constant) uniform Sigmas { float spatial; float range; };
void main() {
  ivec2 here = ivec2(gl_GlobalInvocationID.xy);
  ivec2 dims = imageSize(noisy);
  if (here.x < dims.x && here.y < dims.y) {
    float centre = imageLoad(noisy, here).x;
    float total = 0.0, weights = 0.0;
    for (int dy = -3; dy <= 3; dy++) {
      for (int dx = -3; dx <= 3; dx++) {
        ivec2 q = clamp(here + ivec2(dx, dy), ivec2(0), dims - 1);
        float v = imageLoad(noisy, q).x;
        float w = exp(-float(dx * dx + dy * dy) / (2.0 * spatial)) * exp(-(v - centre) * (v - centre) / (2.0 * range));
        total += w * v;
        weights += w;
      }
    }
    imageStore(smooth_, here, vec4(total / weights));
  }
}
