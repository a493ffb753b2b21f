// SAXPY: y = a x + y.
// small: --groups 2 --push u32:100,f32:2.5 --buffer X=f32:noise:100 --buffer Y=f32:noise:100:-1..1
// large: --groups 8192 --push u32:2097152,f32:2.5 --buffer X=f32:noise:2097152 --buffer Y=f32:noise:2097152:-1..1
// differs: 1e-6 the product may be contracted
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform PushConsts { uint n; float a; } pushConsts;
void main() {
  uint idx = gl_GlobalInvocationID.x;
  if (idx >= pushConsts.n) return;
  y[idx] = pushConsts.a * x[idx] + y[idx];
}
