// broken/depth-reference (S8): one invocation writes level 1 and then makes level 2 from it. It reads level 1 through another variable than
// it wrote it, with no barrier between. Program order alone orders accesses through one variable only. Through another, the write is not
// available and visible to the read.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 1) in;

layout(set = 0, binding = 0, r32f) uniform readonly image2D base;
layout(set = 0, binding = 1, r32f) uniform writeonly image2D first;
layout(set = 0, binding = 2, r32f) uniform readonly image2D firstAgain;
layout(set = 0, binding = 3, r32f) uniform writeonly image2D second;
layout(push_constant) uniform Push {
  ivec2 size;  // multiples of 4
  uint reduction;
} push;

#include "../depth.glsl"

int extremeOf(ivec4 keys) { return max(max(keys.x, keys.y), max(keys.z, keys.w)); }

int baseKey(ivec2 at) { return keyOf(imageLoad(base, at).x); }
int firstKey(ivec2 at) { return keyOf(imageLoad(firstAgain, at).x); }

void main() {
  ivec2 one = max(push.size / 2, 1), two = max(push.size / 4, 1);
  for (int y = 0; y < one.y; ++y)
    for (int x = 0; x < one.x; ++x) {
      ivec2 p = 2 * ivec2(x, y);
      int key = extremeOf(ivec4(baseKey(p), baseKey(p + ivec2(1, 0)), baseKey(p + ivec2(0, 1)), baseKey(p + 1)));
      imageStore(first, ivec2(x, y), vec4(depthOf(key)));
    }
  for (int y = 0; y < two.y; ++y)
    for (int x = 0; x < two.x; ++x) {
      ivec2 p = 2 * ivec2(x, y);
      int key = extremeOf(ivec4(firstKey(p), firstKey(p + ivec2(1, 0)), firstKey(p + ivec2(0, 1)), firstKey(p + 1)));
      imageStore(second, ivec2(x, y), vec4(depthOf(key)));
    }
}
