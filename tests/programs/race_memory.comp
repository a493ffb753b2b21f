// -- a barrier stands between all of these, but memory is not handed on: nothing names buffers; a buffer is not coherent; what is released is
// -- not acquired; an image is not coherent. Near miss: an image with all of it. Each result is 5 * (31 - i)
// model-only: what a device gives is its own business
// buffer 0 u32: 32*0
// buffer 1 u32: 32*0
// buffer 2 u32: 32*0
// image 3 r32ui 2d 32x1 u32: 32*0
// image 4 r32ui 2d 32x1 u32: 32*0
// buffer 5 poison: 128
// expect 5 u32: 155 150 145 140 135 130 125 120 115 110 105 100 95 90 85 80
// expect 5 u32: 75 70 65 60 55 50 45 40 35 30 25 20 15 10 5 0
// finding race_memory.comp:30: data race: OpLoad of 'named[31]', invocation 0,0,0 of dispatch 0; against the store by 31,0,0 at race_memory.comp:28; it read 31; the barrier at race_memory.comp:29 stands between them, but orders no buffers
// finding race_memory.comp:35: data race: OpLoad of 'plain[31]', invocation 0,0,0 of dispatch 0; against the store by 31,0,0 at race_memory.comp:33; it read 31; the barrier at race_memory.comp:34 stands between them, but 'plain' is not coherent
// finding race_memory.comp:39: data race: OpLoad of 'released[31]', invocation 0,0,0 of dispatch 0; against the store by 31,0,0 at race_memory.comp:37; it read 31; the barrier at race_memory.comp:38 stands between them, but what was released behind the first is not acquired before the second
// finding race_memory.comp:43: data race: OpImageRead of 'texels[31,0]', invocation 0,0,0 of dispatch 0; against the store by 31,0,0 at race_memory.comp:41; it read 31; the barrier at race_memory.comp:42 stands between them, but 'texels' is not coherent
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer A { uint named[]; };
layout(binding = 1) buffer B { uint plain[]; };
layout(binding = 2) coherent buffer C { uint released[]; };
layout(binding = 3, r32ui) uniform uimage2D texels;
layout(binding = 4, r32ui) uniform coherent uimage2D handed;
layout(binding = 5) buffer O { uint result[]; };
void main() {
  const uint i = gl_LocalInvocationIndex, j = 31 - i;
  uint sum;

  named[i] = i;
  barrier();
  sum = named[j];
  memoryBarrierBuffer(); barrier(); memoryBarrierBuffer();

  plain[i] = i; memoryBarrierBuffer();
  barrier(); memoryBarrierBuffer();
  sum += plain[j];

  released[i] = i; memoryBarrierBuffer();
  barrier();
  sum += released[j];

  imageStore(texels, ivec2(i, 0), uvec4(i)); memoryBarrierImage();
  barrier(); memoryBarrierImage();
  sum += imageLoad(texels, ivec2(j, 0)).x;
  // Near miss.
  imageStore(handed, ivec2(i, 0), uvec4(i));
  memoryBarrierImage(); barrier(); memoryBarrierImage();
  result[i] = sum + imageLoad(handed, ivec2(j, 0)).x;
}
