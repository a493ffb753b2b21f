// K-means: the nearest of 16 centres for each point of 4 integer coordinates, and how many points each centre has.
// small: --groups 3 --push u32:150 --buffer Points=i32:noise:600:-99..99 --buffer Centres=i32:noise:64:-99..99 --buffer Counts=zeros:64 --out Labels=-:600
// large: --groups 4096 --push u32:262144 --buffer Points=i32:noise:1048576:-99..99 --buffer Centres=i32:noise:64:-99..99 --buffer Counts=zeros:64 --out Labels=-:1048576
#version 450
layout(local_size_x = 64) in;
struct Point { ivec4 at; };
layout(std430, binding = 0) readonly buffer Points { Point points[]; };
layout(std430, binding = 1) readonly buffer Centres { Point centres[16]; };
layout(std430, binding = 2) buffer Counts { uint counts[16]; };
layout(std430, binding = 3) writeonly buffer Labels { uint labels[]; };
layout(push_constant) uniform PC { uint number; };
shared Point cached[16];
shared uint mine[16];
int distance2(Point a, Point b) {
  ivec4 d = a.at - b.at;
  return d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w;
}
void main() {
  uint l = gl_LocalInvocationID.x;
  if (l < 16u) { cached[l] = centres[l]; mine[l] = 0u; }
  barrier();
  uint i = gl_GlobalInvocationID.x;
  if (i < number) {
    Point p = points[i];
    uint label = 0u;
    int least = distance2(p, cached[0]);
    for (uint k = 1u; k < 16u; ++k) {
      int d = distance2(p, cached[k]);
      if (d < least) { least = d; label = k; }
    }
    labels[i] = label;
    atomicAdd(mine[label], 1u);
  }
  barrier();
  if (l < 16u) atomicAdd(counts[l], mine[l]);
}
