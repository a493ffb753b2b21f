// Workgroups that meet, or do not, in one buffer: MODE says how.
#version 460
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint MODE = 0;
layout(binding = 0) buffer R { uint result[]; };
layout(binding = 1) buffer S { uint add; uint lowest; int highest; uint bits; uint flips; };
void main() {
  const uint g = gl_WorkGroupID.x, i = gl_GlobalInvocationID.x, n = gl_NumWorkGroups.x;
  switch (MODE) {
    case 0:  // each has its own words, and all load the last one
      result[i] = i + result[n * 32];
      break;
    case 1:  // all store to one word
      result[0] = i;
      break;
    case 2:  // each loads what the one before has stored
      if (gl_LocalInvocationIndex == 0) result[g + 1] = result[g] + 1;
      break;
    case 3:  // each loads what the next one stores
      if (gl_LocalInvocationIndex == 0) result[g] = result[g + 1] + 1;
      break;
    case 4:  // sums of every kind, of which nobody uses the old value
      atomicAdd(add, i);
      atomicMin(lowest, 1000000 - i);
      break;
    case 5:  // an old value that is used
      result[i] = atomicAdd(add, 1);
      break;
    case 6:  // each adds to its own words
      for (uint k = 0; k < 8; ++k) result[i ^ (k & 3)] += i + k;
      break;
    case 7:  // the last one ends at the step limit, after a store
      result[i] = i;
      if (g == n - 1) while (result[i] != ~i) result[i] = result[i] | 1;
      break;
    case 8:  // places of its own: four words an invocation
      result[g * 128 + gl_LocalInvocationIndex * 4] = i;
      result[g * 128 + gl_LocalInvocationIndex * 4 + 3] = i + 3;
      break;
    case 9:  // the same, but the last word of each is the first of the next workgroup
      result[g * 127 + gl_LocalInvocationIndex * 4] = i;
      result[g * 127 + gl_LocalInvocationIndex * 4 + 3] = i + 3;
      break;
    case 10:  // words of its own, and one of all
      result[i] = i;
      result[n * 32] = i;
      break;
    case 11:  // outside of the buffer
      result[i + n * 128 + 5] = result[i + n * 128 + 5] * 31 + g;
      break;
    case 300:  // each loads and stores words of its own
      result[i] = result[i] * 3 + i;
      break;
    default:  // each somewhere among its neighbours; how far away, MODE says
      for (uint k = 0; k < 6; ++k) {
        const uint h = (i * 6 + k + MODE * 7919) * 2654435761u, reach = 1 + MODE % 97;
        const uint at = (i + (h >> 8) % reach) % (n * 32);
        if ((h >> 4) % 3 == 0)
          result[at] = i * 8 + k;
        else
          result[i] ^= result[at] + k;
      }
      break;
  }
}
