// -- a lock whose atomics are relaxed: what one invocation did under it is not there for the next. Near miss: race_lock_mended.comp
// buffer 0 u32: 0 0
// model-only: what a device gives is its own business
// expect 0 u32: 0 16
// finding race_lock.comp:14: data race: OpLoad of 'count', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_lock.comp:14; it read 1; no barrier of the workgroup orders them
// finding race_lock.comp:14: data race: OpStore of 'count', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_lock.comp:14
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) coherent buffer L { uint lock; uint count; };
void main() {
  bool done = false;
  while (!done)
    if (atomicCompSwap(lock, 0, 1) == 0) {
      count = count + 1;
      atomicExchange(lock, 0);
      done = true;
    }
}
