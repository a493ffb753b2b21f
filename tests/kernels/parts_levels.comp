// Levels of a picture, each an element of an array of images: MODE says which level a workgroup makes of which, and where.
#version 460
layout(local_size_x = 8) in;
layout(constant_id = 0) const uint MODE = 0;
layout(binding = 0, r32ui) coherent uniform uimage2D levels[4];
layout(binding = 1) buffer Counter { uint counter, number; };
shared uint before;
uint load(uint level, uint x) { return imageLoad(levels[level], ivec2(x, 0)).x; }
void store(uint level, uint x, uint v) { imageStore(levels[level], ivec2(x, 0), uvec4(v)); }
void main() {
  const uint i = gl_GlobalInvocationID.x, t = gl_LocalInvocationIndex, g = gl_WorkGroupID.x, n = gl_NumWorkGroups.x;
  const uint three = load(0u, 2 * i) + 3 * load(0u, 2 * i + 1) + 5 * load(0u, 2 * i + 2);  // the last is another workgroup's, too
  store(MODE == 1 ? number : 1u, i, three);
  if (MODE == 2) store(0u, 2 * i, three);
  memoryBarrierImage();
  barrier();
  if (t < 4) store(2u, 4 * g + t, three + load(1u, 8 * g + t));
  if (MODE < 3) return;
  if (t == 0) before = atomicAdd(counter, 1);
  barrier();
  if (MODE == 4) store(3u, t, load(2u, t) + before);
  if (before + 1 == n) store(3u, t, load(2u, t) + 7 * load(2u, 4 * n - 8 + t));
}
