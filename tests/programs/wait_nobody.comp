// -- a loop that never ends and waits for nobody
// model-only: it hangs
// one-order
// max-steps 20000
// buffer 0 u32: 5
// error finding: endless loop
// finding wait_nobody.comp:12: endless loop, nothing that decides in it changes, and it asks for nothing that others store, invocation 0,0,0
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer B { uint start; };
void main() {
  for (uint x = start, turns = 0; x != 0; ++turns) x |= 1;
}
