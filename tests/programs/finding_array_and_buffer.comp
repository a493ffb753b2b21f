// -- an index beyond an array, and beside it one that leaves the buffer: both are told. Near miss: the first alone, which is told once
// buffer 0 u32: 1 2 3 4
// buffer 1 poison: 12
// buffer 2 u32: 5 2 1
// model-only: robust loads may give other values
// expect 1 u32: 0 0 0
// finding finding_array_and_buffer.comp:18: out of range (array): OpLoad of 'p[5].d[2]', index 2 of 2, invocation 0,0,0 of dispatch 0
// finding finding_array_and_buffer.comp:18: out of range (buffer): OpLoad of 'p[6].d[0]', bytes 48 to 51 of 16, invocation 0,0,0 of dispatch 0
// finding finding_array_and_buffer.comp:19: out of range (array): OpLoad of 'p[1].d[2]', index 2 of 2, invocation 0,0,0 of dispatch 0
// finding finding_array_and_buffer.comp:20: out of range (array): OpLoad of 'p[1].d[5]', index 5 of 2, invocation 0,0,0 of dispatch 0
#version 450
layout(local_size_x = 1) in;
struct P { uint d[2]; };
layout(binding = 0) buffer A { P p[]; };
layout(binding = 1) buffer B { uint o[3]; };
layout(binding = 2) buffer C { uint five, two, one; };
void main() {
  o[0] = p[five].d[two];
  o[1] = p[one].d[two];
  o[2] = p[one].d[five];
}
