// depth/conservative/cascade and depth/conservative-uv/cascade: cascade.glsl on depths. A word is a depth's key (depth.glsl); pictures are seen
// as their bits. kCopies: level 0 is a picture of its own, which the tiles of stage 0 copy.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "depth_window.glsl"
layout(constant_id = 5) const bool kCopies = false;

const bool kBorders = kForm == kConservativeUv;

uint wordAt(uint bits);
uint bitsOf(uint word);
uint reduceFour(uint a, uint b, uint c, uint d) { return uint(max(max(int(a), int(b)), max(int(c), int(d)))); }

struct Side {
  uint first, count;
};

Side sideAt(uint j, uint size) { return size == 1u ? Side(0u, 1u) : Side(2u * j, 2u + thirdTap(uvec2(j), uvec2(size)).x); }

Side sideAs(uint j, uint size, bool odd) { return Side(2u * j, odd ? 3u : 2u); }

struct Row {
  int greatest;
};

Row rowOf(uint a, uint b, uint c, Side x) { return Row(max(max(int(a), int(x.count > 1u ? b : a)), int(x.count > 2u ? c : a))); }

Row rowOfLane(Row r, uint lane) { return Row(subgroupShuffle(r.greatest, lane)); }

uint texelOf(Row r, Row s, Row t, Side x, Side y) {
  return uint(max(max(r.greatest, y.count > 1u ? s.greatest : r.greatest), y.count > 2u ? t.greatest : r.greatest));
}

#define UNROLL 5
#include "repeat.glsl"
#include "cascade.glsl"
#include "depth.glsl"

uint wordAt(uint bits) { return uint(keyOfBits(bits)); }
uint bitsOf(uint word) { return uint(bitsOfKey(int(word))); }
