// -- a lock that hands on what was done under it (race_lock.comp)
// buffer 0 u32: 0 0
// model-only: lavapipe 22.3.6 stops subgroups in loops with memory barriers (docs/device-deviations.md)
// expect 0 u32: 0 16
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) coherent buffer L { uint lock; uint count; };
void main() {
  bool done = false;
  while (!done)
    if (atomicCompSwap(lock, 0, 1) == 0) {
      memoryBarrierBuffer();
      count = count + 1;
      memoryBarrierBuffer();
      atomicExchange(lock, 0);
      done = true;
    }
}
