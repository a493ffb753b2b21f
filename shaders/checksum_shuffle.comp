// checksum/sum/shuffle: the exact 64-bit sum of all bytes of a picture. Invocations stride over the texels, subgroups add up by
// shuffles, workgroups through workgroup memory, and the whole by atomics on two words with a carry.
//
// The same for every subgroup size from 1 to 128. The local size of 96 leaves the last subgroup partly filled at 64 and 128; a lane that
// does not exist gives an undefined value in a shuffle and is left out. What lane 0 ends up with needs only that the lanes that exist
// come first. gl_NumSubgroups is not read: a published driver counts a partial subgroup wrongly.
// A workgroup's sum fits 32 bits while an invocation takes at most 43,000 texels: the plan sees to it.
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

const uint kLocalSize = 96u;
layout(local_size_x = 96) in;

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 1) restrict buffer Total {
  uint low;
  uint high;
} total;
layout(push_constant) uniform Push { uvec2 size; } push;

shared uint partial[kLocalSize];

uint sumOfTexels() {
  uint sum = 0u;
  uint count = push.size.x * push.size.y;
  uint stride = gl_NumWorkGroups.x * kLocalSize;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
    uvec4 texel = imageLoad(source, ivec2(i % push.size.x, i / push.size.x));
    sum += texel.r + texel.g + texel.b + texel.a;
  }
  return sum;
}

// In lane 0: the sum over the subgroup's lanes.
uint sumOfSubgroup(uint mine) {
  uvec4 present = subgroupBallot(true);
  for (uint mask = 1u; mask < gl_SubgroupSize; mask *= 2u) {
    uint other = subgroupShuffleXor(mine, mask);
    if (subgroupBallotBitExtract(present, gl_SubgroupInvocationID ^ mask)) mine += other;
  }
  return mine;
}

void main() {
  uint here = gl_LocalInvocationIndex;
  partial[here] = 0u;
  barrier();
  uint sum = sumOfSubgroup(sumOfTexels());
  if (gl_SubgroupInvocationID == 0u) partial[gl_SubgroupID] = sum;
  barrier();
  for (uint step = 64u; step > 0u; step /= 2u) {
    if (here < step && here + step < kLocalSize) partial[here] += partial[here + step];
    barrier();
  }
  if (here == 0u) {
    uint before = atomicAdd(total.low, partial[0]);
    if (before + partial[0] < before) atomicAdd(total.high, 1u);
  }
}
