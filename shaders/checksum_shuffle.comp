// checksum/sum/shuffle: the exact 64-bit sum of all bytes of a picture. Invocations stride over the texels. A subgroup adds up by shuffles,
// a workgroup through workgroup memory, and all workgroups by atomics on two words with a carry.
//
// The result is the same for every subgroup size from 1 to 128. The workgroup of 96 leaves the last subgroup partly filled at sizes 64 and
// 128. A shuffle from a missing lane gives an undefined value, which is left out. For lane 0's sum, the existing lanes need only come
// first. gl_NumSubgroups is not read, because a published driver counts a partial subgroup wrongly. The plan gives an invocation at most
// 43,000 texels, so a workgroup's sum fits 32 bits.
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

// The sum over the subgroup's lanes, in lane 0.
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
