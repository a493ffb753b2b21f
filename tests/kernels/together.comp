// Small workgroups that may share a batch, or may not: MODE says what they do.
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x_id = 1, local_size_y_id = 2) in;
layout(constant_id = 0) const uint MODE = 0;
layout(binding = 0) buffer R { uint result[]; };
layout(binding = 1) readonly buffer S { uint source[]; };
layout(binding = 2) buffer T { uint total[]; };
shared uint words[24];
shared uint counter;
const uint SIZE = gl_WorkGroupSize.x * gl_WorkGroupSize.y;
uint mixed(uint a, uint b) { return (a ^ b) * 0x9e3779b1u + (a >> 7); }

void main() {
  const uint l = gl_LocalInvocationIndex, x = gl_WorkGroupID.x;
  const uint g = (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + x;
  const uint i = g * SIZE + l, all = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z * SIZE;
  uint v = source[i], at = i;
  switch (MODE) {
    case 0:  // who is who
      v = mixed(v, gl_GlobalInvocationID.x + 3 * gl_GlobalInvocationID.y + 7 * gl_GlobalInvocationID.z);
      v = mixed(v, gl_LocalInvocationID.x + 11 * gl_LocalInvocationID.y + 31 * l);
      v = mixed(v, gl_SubgroupID + 5 * gl_SubgroupInvocationID + 77 * gl_NumSubgroups);
      v = mixed(v, x + 9 * gl_WorkGroupID.y + 15 * gl_WorkGroupID.z);
      break;
    case 1:  // each has words of its own; those beyond them are nobody's
      words[(l * 7) % 40] = v;
      barrier();
      v = mixed(words[l % 24], words[l + 5]);
      break;
    case 2:  // some workgroups return before the barrier
      if (x % 3 == 1) return;
      words[l % 24] = v;
      barrier();
      v += words[(l + 1) % 24];
      break;
    case 3:  // each has the barrier as often as its number says
      for (uint k = 0; k <= x % 3; ++k) {
        words[(l + k) % 24] = v;
        barrier();
        v += words[l % 24];
        barrier();
      }
      break;
    case 4:  // one of them has a barrier that only half of it reaches
      if (x != 5 || l * 2 < SIZE) barrier();
      break;
    case 5: {  // ways that differ between workgroups, and what they take along
      uint k = 0, sum = x;
      do {
        sum = mixed(sum, source[(k + x) % all]);
        if (sum % 5 == 0) sum += gl_WorkGroupID.y;
        if ((sum & 15u) == 3u) break;
      } while (++k < 3 + x * 2);
      if (x % 2 == 1) v += sum; else v ^= k;
      break;
    }
    case 6:  // a subgroup sees its own lanes alone
      v = subgroupAdd(v) + subgroupShuffleXor(v, 3) + subgroupBallot((v & 64u) != 0).x + subgroupBroadcastFirst(v + x);
      break;
    case 7:  // memory of an invocation, by an index of the workgroup
    {
      uint own[5];
      for (uint k = 0; k < 5; ++k) own[k] = v * k + l;
      own[x % 5] += own[(l + x) % 5];
      v = own[(v >> 3) % 5];
      break;
    }
    case 8:  // old values of a workgroup's own atomics
      if (l == 0) counter = x;
      barrier();
      v += atomicAdd(counter, l + 1);
      break;
    case 9:  // sums whose old values nobody uses
      atomicAdd(total[v % 8], v);
      break;
    case 10:  // several store to one place, once: the last workgroup's last one stays
      at = (i * 5) % 37;
      break;
    case 11:  // the same in a loop
      for (uint k = 0; k < 4; ++k) result[(i * 5 + k * 3) % 37] = v + k;
      break;
    case 12:  // the same by two instructions
      result[(i * 5) % 37] = v;
      at = (i * 7 + 1) % 37;
      break;
    case 13:  // what neighbours have stored
      v += total[(i + all - SIZE) % all];
      total[i] = v;
      break;
    case 14:  // old values that are used
      v += atomicAdd(total[0], 1);
      break;
    case 15:  // one of them goes round for ever
      while (x == 6 && v != 1) v = v * 2 + 4;
      break;
    case 16:  // a store of which some lanes have gone another way
      if ((v & 3u) == 0) at = (i * 5) % 37;
      else if (x % 2 == 0) at = (i * 3) % 37;
      break;
  }
  result[at] = v;
}
