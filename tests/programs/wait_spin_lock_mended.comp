// -- wait_spin_lock.comp, and who has the lock gives it back before the invocations meet.
// buffer 0 u32: 0 0
// expect 0 u32: 0 32
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint lock; uint count; };
void main() {
  for (bool done = false; !done;) {
    if (atomicCompSwap(lock, 0, 1) == 0) {
      atomicAdd(count, 1);
      atomicExchange(lock, 0);
      done = true;
    }
  }
}
