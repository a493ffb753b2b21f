// -- coherent and volatile buffers, members and images, workgroup memory, atomics and barriers; tests/model/program/order_test.cpp asks what
// -- the decoded program says of each
// buffer 0 u32: 1 2 3 4
// buffer 1 u32: 10
// buffer 2 u32: 20 30
// image 3 r32ui 2d 1x1 u32: 7
// buffer 4 poison: 32
// expect 0 u32: 1 2 5 4
// expect 3 u32: 8
// expect 4 u32: 2 10 20 30 7 9 3 5
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer A { uint a[]; };
layout(binding = 1) volatile buffer V { uint v; };
layout(binding = 2) buffer M { coherent uint m; uint plain; };
layout(binding = 3, r32ui) coherent uniform uimage2D picture;
layout(binding = 4) buffer O { uint o[]; };
shared uint line[4];
void main() {
  o[0] = a[1];
  a[2] = 5;
  o[1] = v;
  o[2] = m;
  o[3] = plain;
  o[4] = imageLoad(picture, ivec2(0)).x;
  imageStore(picture, ivec2(0), uvec4(8));
  line[1] = 9, line[2] = 3;
  barrier();
  o[5] = line[1];
  o[6] = atomicAdd(line[2], 1);
  memoryBarrierBuffer();
  uint unused = v;
  o[7] = a[2];
}
