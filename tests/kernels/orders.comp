// What the order of workgroups decides, and what it does not: MODE says which.
#version 460
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint MODE = 0;
layout(binding = 0) buffer R { uint result[]; };
layout(binding = 1) buffer S { uint seen, added; };
void main() {
  const uint w = gl_WorkGroupID.x, last = gl_NumWorkGroups.x - 1;
  switch (MODE) {
    case 0: {  // one of the six orders of three workgroups, 2 0 1, leaves a 1
      const uint before = atomicAdd(seen, 1u << w);
      if (w == 0 && before == 4u) result[0] = 1;
      break;
    }
    case 1:  // no order of these is another than that in which they see each other
      result[w] = atomicAdd(seen, 1u);
      break;
    case 2:  // nobody can tell who was first
      atomicAdd(added, w);
      break;
    case 3:  // each has its own words
      for (uint k = 0; k < 3; ++k) result[3 * w + k] = result[3 * w + k] + w;
      break;
    case 4:  // the last one sums what all have stored
      atomicStore(result[w + 1], w * w, gl_ScopeDevice, 0, 0);
      if (atomicAdd(seen, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease) == last) {
        uint sum = 0;
        for (uint k = 0; k <= last; ++k) sum += atomicLoad(result[k + 1], gl_ScopeDevice, 0, 0);
        result[0] = sum;
      }
      break;
    case 5:  // one waits for another, which in some orders has not begun
      if (w == 1) atomicStore(seen, 1u, gl_ScopeDevice, 0, 0);
      if (w == 0)
        while (atomicLoad(seen, gl_ScopeDevice, 0, 0) == 0) {
        }
      break;
    case 6:  // one that comes first makes the other wait for ever
      if (w == 0) atomicCompSwap(seen, 0u, 1u);
      if (w == 1 && atomicCompSwap(seen, 0u, 2u) == 0u)
        while (atomicLoad(added, gl_ScopeDevice, 0, 0) == 0) {
        }
      break;
    case 7: {  // two store one word, if the second one comes first
      const uint before = atomicAdd(seen, 1u);
      if (w == 1 || (w == 0 && before == 1u)) result[0] = 7;
      break;
    }
    case 8: {  // ... by atomics
      const uint before = atomicAdd(seen, 1u);
      if (w == 1 || (w == 0 && before == 1u)) atomicStore(result[0], 7u, gl_ScopeDevice, 0, 0);
      break;
    }
    case 9:  // what has no value is not taken
      result[w] = mix(w / added, 7u, added == 0u);
      if (atomicAdd(seen, 1u) > 100u) result[0] = 1;
      break;
    case 10: {  // ... but in the order 2 0 1
      const uint before = atomicAdd(seen, 1u << w), none = w / added;
      result[w] = w == 0 && before == 4u ? none : 7u;
      break;
    }
    case 11:  // two store one word where one of them waits for ever
      if (w == 0 && atomicCompSwap(seen, 0u, 1u) == 2u) result[0] = 7;
      if (w == 1 && atomicCompSwap(seen, 0u, 2u) == 0u) {
        result[0] = 7;
        while (atomicLoad(added, gl_ScopeDevice, 0, 0) == 0) {
        }
      }
      break;
  }
}
