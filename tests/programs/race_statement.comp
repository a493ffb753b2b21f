// -- a statement with `&&` that compares and swaps: a barrier before the whole of it orders its loads and its stores. Near miss: the swaps of
// -- a second array, with that barrier
// buffer 0 u32: 7 6 5 4 3 2 1 0
// buffer 1 u32: 7 6 5 4 3 2 1 0
// model-only: what a device gives is its own business
// expect 1 u32: 0..7
// finding race_statement.comp:22: data race: OpLoad of 'sorted[4]', invocation 4,0,0 of dispatch 0; against the store by 0,0,0 at race_statement.comp:22
// finding race_statement.comp:22: data race: OpStore of 'sorted[4]', invocation 4,0,0 of dispatch 0; against the store by 0,0,0 at race_statement.comp:22
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint values[8]; };
layout(binding = 1) buffer B { uint values2[8]; };
shared uint sorted[8], sorted2[8];
void main() {
  const uint i = gl_LocalInvocationIndex;
  sorted[i] = values[i];
  sorted2[i] = values2[i];
  barrier();
  for (uint j = 4; j > 0; j /= 2) {
    const uint other = i ^ j;
    // No barrier.
    if (other > i && sorted[i] > sorted[other]) { const uint kept = sorted[i]; sorted[i] = sorted[other]; sorted[other] = kept; }
  }
  barrier();
  for (uint j = 4; j > 0; j /= 2) {
    const uint other = i ^ j;
    barrier();
    if (other > i && sorted2[i] > sorted2[other]) { const uint kept = sorted2[i]; sorted2[i] = sorted2[other]; sorted2[other] = kept; }
  }
  barrier();
  values[i] = sorted[i];
  values2[i] = sorted2[i];
}
