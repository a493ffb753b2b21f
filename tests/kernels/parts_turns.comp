// Workgroups that tell their order by the result of an atomic, after work of their own: MODE says what each does in front of it and behind.
#version 460
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint MODE = 0;
layout(binding = 0) buffer R { uint result[]; };
layout(binding = 1) buffer S { uint counter, low, high, sum, tops[]; };
shared uint before;
void main() {
  const uint g = gl_WorkGroupID.x, i = gl_GlobalInvocationID.x, n = gl_NumWorkGroups.x, t = gl_LocalInvocationIndex;
  uint v = i;
  for (uint k = 0; k < 8; ++k) v = v * 1664525 + 1013904223 + k;
  switch (MODE) {
    case 0:  // the last one adds up what all have left
    case 1:  // the last one but two does, of which two are behind it
      result[i] = v;
      if (t == 0) tops[g] = v;
      break;
    case 2:  // ahead of its turn it loads what the one before has stored
      result[i] = v + (g > 0 ? result[i - 64] : 0);
      break;
    case 3:  // ahead of its turn one of them stores to the counter
      if (g == n / 2 && t == 0) counter = 1000;
      result[i] = v;
      break;
    case 6:  // behind its turn it loads what the next one stores ahead of its own
    case 7:  // behind its turn it stores to its own words
      result[i] = v;
      break;
    default:
      break;
  }
  barrier();
  if (MODE == 4) {  // sums of two words
    const uint old = atomicAdd(low, v);
    if (old + v < old) atomicAdd(high, 1);
  } else if (MODE == 9) {  // in a loop
    for (uint k = 0; k < 3; ++k) {
      const uint old = atomicAdd(low, v + k);
      if (old + v + k < old) atomicAdd(high, 1);
      result[i] = old - v;
    }
  } else if (MODE == 5) {  // words by ticket
    result[atomicAdd(counter, 1)] = i;
  } else {
    if (t == 0) before = atomicAdd(counter, 1);
    barrier();
    if (MODE < 2 && before + 1 + 2 * MODE == n) {
      uint all = 0;
      for (uint k = t; k < n; k += 64) all += tops[k];
      result[n * 64 + t] = all;
    }
    if (MODE == 6) result[i] += result[(i + 64) % (n * 64)] + before;
    if (MODE == 7) result[i] += before;
    if (MODE == 8 && t == 0) tops[(g * 7 + before) % n] = before;
  }
}
