// -- A finding names the element of an array of buffers that the invocation used. That does not follow from the buffer, of which two
// -- elements are parts here, nor from the first store to the array. The other words of bb[2] are used rightly: nothing is said of them.
// buffer 0.0 poison: 32
// view 0.0 size 16
// buffer 0.1 poison: 16
// view 0.2 of 0.0 offset 16 size 16
// push u32: 2
// one-order
// expect 0.0 u32: 0..3 3 7 9 9
// finding never written '0.1', 4 bytes of 16, first bb[1].a[3]
// finding descriptor_elements.comp:22: data race: OpStore of 'bb[2].a[0]'
// finding descriptor_elements.comp:25: out of range (buffer): OpStore of 'bb[2].a[5]', bytes
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; } bb[3];
layout(push_constant) uniform P { uint two; } p;
void main() {
  uint l = gl_LocalInvocationIndex;
  bb[0].a[l] = l;
  if (l < 3) bb[1].a[l] = l;
  if (l == 1) bb[p.two].a[1] = 7;
  bb[p.two].a[0] = l;
  if (l > 1) {
    bb[p.two].a[l] = 9;
    if (l == 3) bb[p.two].a[l + p.two] = 9;
  }
}
