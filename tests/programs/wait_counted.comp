// -- a wait that counts its turns for nobody but its own result: a proof leaves the counter aside
// model-only: it hangs
// one-order
// max-steps 20000
// buffer 0 u32: 0 0
// error finding: waits for ever
// finding wait_counted.comp:13: waits for ever: OpAtomicOr of 'flag', which stays 0
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint flag; uint turns; };
void main() {
  uint n = 0;
  while (atomicOr(flag, 0) == 0) ++n;
  turns = n;
}
