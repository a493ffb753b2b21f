// -- a wait whose pause grows is not proved to be one for ever
// model-only: it hangs
// max-steps 20000
// one-order
// buffer 0 u32: 0 0
// error finding: it may wait for 'flag' (wait_may.comp:13)
// finding wait_may.comp:13: step limit, more than 20000 steps of one invocation, invocation 0,0,0 of dispatch 0; it may wait for 'flag' (wait_may.comp:13)
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint flag; uint turns; };
void main() {
  uint n = 0;
  for (n = 1; atomicOr(flag, 0) < n; n += 2) {}
  turns = n;
}
