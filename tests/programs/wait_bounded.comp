// -- waits that end by themselves, as a near miss: a bounded one, one by a counter that grows, and one whose word comes with the last turn
// model-only: lavapipe ends a loop after 65535 turns
// buffer 0 u32: 0 0 0 0
// expect 0 u32: 0 40000 65536 100000
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint flag, bounded, grown, counted; };
void main() {
  uint n = 0;
  while (n < 40000 && atomicAdd(flag, 0) == 0) ++n;
  bounded = n;
  uint pause = 1;
  while (atomicAdd(flag, 0) == 0 && pause < 65536) {
    for (uint i = 0; i < pause; i += 16) {}
    pause *= 2;
  }
  grown = pause;
  while (atomicAdd(counted, 1) < 99999) {}
}
