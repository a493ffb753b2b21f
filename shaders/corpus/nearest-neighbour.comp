// Nearest neighbour of each query among all points, by squared distance; points pass through shared memory.
// small: --groups 2 --push u32:128 --buffer Q=f32:noise:512 --buffer P=f32:noise:512:0..2 --out R=-:512
// large: --groups 64 --push u32:2048 --buffer Q=f32:noise:16384 --buffer P=f32:noise:8192:0..2 --out R=-:16384
#version 460
layout(local_size_x = 64) in;
layout(binding = 0, std430) readonly buffer Q { vec4 queries[]; };
layout(binding = 1, std430) readonly buffer P { vec4 points[]; };
layout(binding = 2, std430) writeonly buffer R { uint nearest[]; };
layout(push_constant) uniform Count { uint point_count; };
shared vec4 tile[64];
void main() {
  const vec3 q = queries[gl_GlobalInvocationID.x].xyz;
  float best = 3.4e38;
  uint best_index = 0xffffffffu;
  for (uint first = 0; first < point_count; first += 64) {
    tile[gl_LocalInvocationIndex] = points[first + gl_LocalInvocationIndex];
    barrier();
    for (uint i = 0; i < 64; i++) {
      precise vec3 d = tile[i].xyz - q;
      precise float d2 = d.x * d.x + d.y * d.y + d.z * d.z;
      if (d2 < best) {
        best = d2;
        best_index = first + i;
      }
    }
    barrier();
  }
  nearest[gl_GlobalInvocationID.x] = best_index;
}
