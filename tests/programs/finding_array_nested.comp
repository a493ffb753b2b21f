// -- an index beyond an array in arrays is told with those in front of it: in a buffer, in shared and in a variable of an invocation.
// -- Near miss: the same with indices that are right
// buffer 0 u32: 1 5 3
// buffer 0 u32: 34*7
// buffer 1 poison: 16
// model-only: what lies beyond is a device's own business
// expect 1 u32: 7 0 0 13
// finding finding_array_nested.comp:25: out of range (array): OpLoad of 'a.b[1].c[5]', index 5 of 4, invocation 0,0,0 of dispatch 0
// finding finding_array_nested.comp:26: out of range (array): OpLoad of 'w[3].b[5]', index 5 of 4, invocation 0,0,0 of dispatch 0
// finding finding_array_nested.comp:27: out of range (array): OpLoad of 'l.b[3].c[5]', index 5 of 4, invocation 0,0,0 of dispatch 0
#version 460
layout(local_size_x = 1) in;
struct Inner { uint c[4]; };
struct Outer { Inner b[4]; uint last; };
layout(binding = 0) buffer A { uint one, five, three; Outer a; Outer more; };
layout(binding = 1) buffer B { uint o[4]; };
shared Outer w[4];
void main() {
  Outer l;
  for (uint i = 0; i < 16; ++i) {
    l.b[i / 4].c[i % 4] = i;
    w[three].b[i / 4].c[i % 4] = i;
  }
  l.last = w[three].last = 0;
  o[0] = a.b[one].c[five];
  o[1] = w[three].b[five].c[one] * 0;
  o[2] = l.b[three].c[five] * 0;
  o[3] = l.b[three].c[one];
}
