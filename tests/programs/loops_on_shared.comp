// -- loops that shared memory ends, and none of them waits for others: subgroups need not run by themselves (wait_lock_subgroups.comp)
// subgroup-size 16
// buffer 0 u32: 0 0 0 0
// expect 0 u32: 64 100 3 3
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint added, taken, rounds, place; };
shared uint sum, queue, done, left, cells[4];
void main() {
  if (gl_LocalInvocationIndex == 0) {
    sum = queue = done = 0;
    left = 3;
    cells = uint[4](7, 7, 7, 9);
  }
  barrier();
  // Of one invocation alone.
  if (gl_LocalInvocationIndex == 0)
    while (atomicAdd(left, 0) == 0) {}
  // An addition by comparing: whoever fails goes on with another value.
  uint was = atomicAdd(sum, 0), now;
  while ((now = atomicCompSwap(sum, was, was + 1)) != was) was = now;
  // Work from a queue: each turn takes something.
  while (atomicAdd(queue, 1) < 100) atomicAdd(done, 1);
  // A search that a flag ends: while it goes on, another cell is looked at.
  bool found = false;
  uint at = 0;
  while (!found) {
    if (cells[at] == 9)
      found = true;
    else
      ++at;
  }
  // Others go on to the barrier.
  uint n = 0;
  for (;;) {
    barrier();
    if (left == 0) break;
    barrier();
    if (gl_LocalInvocationIndex == 0) --left;
    ++n;
  }
  if (gl_LocalInvocationIndex == 0) {
    added = sum;
    taken = done;
    rounds = n;
    place = at;
  }
}
