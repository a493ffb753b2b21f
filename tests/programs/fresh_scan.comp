// -- a work-efficient scan (Blelloch) whose way down has no barrier between its steps
// model-only: what a device gives is its own business
// buffer 0 u32: 128*1
// buffer 1 u32: 0
// expect 1 u32: 7
// finding fresh_scan.comp:31: data race: OpLoad of 'tree[127]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at fresh_scan.comp:32; it read 64; no barrier of the workgroup orders them
// finding fresh_scan.comp:32: data race: OpLoad of 'tree[127]'
// finding fresh_scan.comp:32: data race: OpStore of 'tree[127]'
// finding fresh_scan.comp:31: data race: OpLoad of 'tree[95]'
// finding fresh_scan.comp:32: data race: OpLoad of 'tree[95]'
// finding fresh_scan.comp:32: data race: OpStore of 'tree[95]'
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint values[]; };
layout(binding = 1) buffer D { uint done; };
shared uint tree[128];
void main() {
  const uint i = gl_LocalInvocationIndex;
  tree[2 * i] = values[2 * i];
  tree[2 * i + 1] = values[2 * i + 1];
  uint apart = 1;
  for (uint pairs = 64; pairs > 0; pairs /= 2, apart *= 2) {
    barrier();
    if (i < pairs) tree[apart * (2 * i + 2) - 1] += tree[apart * (2 * i + 1) - 1];
  }
  if (i == 0) tree[127] = 0;
  for (uint pairs = 1; pairs < 128; pairs *= 2) {
    apart /= 2;
    if (i < pairs) {
      const uint left = tree[apart * (2 * i + 1) - 1];
      tree[apart * (2 * i + 1) - 1] = tree[apart * (2 * i + 2) - 1];
      tree[apart * (2 * i + 2) - 1] += left;
    }
  }
  barrier();
  values[2 * i] = tree[2 * i];
  values[2 * i + 1] = tree[2 * i + 1];
  if (i == 0) done = 7;
}
