// The Mandelbrot set: iterations until escape. Everything is precise, so that every device counts the same.
// small: --groups 4,4 --push f32:-0.7,0,1.25,0.0625 --image iterations=zeros:r32ui:32x32
// large: --groups 64,64 --push f32:-0.7,0,1.25,0.00390625 --image iterations=zeros:r32ui:512x512
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform writeonly uimage2D iterations;
layout(push_constant) uniform View { vec2 centre; float radius; float texel; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  precise vec2 uv = (vec2(p) + 0.5) * texel - 1.0;
  precise vec2 c = centre + uv * radius;
  precise float x = 0.0, y = 0.0, xx = 0.0, yy = 0.0;
  uint i = 0u;
  for (; i < 128u; i++) {
    y = 2.0 * x * y + c.y;
    x = xx - yy + c.x;
    xx = x * x;
    yy = y * y;
    if (xx + yy > 4.0) break;
  }
  imageStore(iterations, p, uvec4(i));
}
