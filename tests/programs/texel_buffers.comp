// -- texel buffers: fetched, read, written, atomic; a range of a buffer; what lies beyond reads 0; sizes; arrays of them
// texel-buffer 0 rgba8ui u8: 0..31
// texel-buffer 1 r32f f32: 1.5 2.5 3.5 4.5
// texel-buffer 2 r32ui u32: 10 20 30 40
// texel-buffer 3 rgba32f poison: 64
// texel-buffer 4 r32i i32: -5 6 -7 8
// texel-buffer 6.0 r32ui u32: 1 2
// texel-buffer 6.1 r32ui u32: 3 4 5
// view 7 of 0 format r32ui offset 16 size 8
// buffer 5 poison: 96
// expect 2 u32: 11 20 35 47
// expect 3 f32: 4.5 4.5 4.5 4.5 27.5 28.5 29.5 30.5 14.5 15.5 16.5 17.5 1.5 2.5 3.5 4.5
// expect 4 i32: 0 100 200 300
// expect 5 u32: 10 20 30 0 4294967291 6 4294967289 8 1 3 2 4 319951120 387323156 0 0 8 4 3 2 1 1 1 1
// finding out of range (texel): OpImageFetch of 'bytes[9]', outside of 8x1x1
// finding out of range (texel): OpImageWrite of 'wide[4]', outside of 4x1x1
// finding out of range (texel): OpImageRead of 'counts[103]', outside of 4x1x1
// finding out of range (texel): OpImageFetch of 'part[2]', outside of 2x1x1
// finding texel_buffers.comp:37: data race: OpAtomicIAdd of 'counts[0]', invocation 1,0,0 of dispatch 0; against the load by 0,0,0 at texel_buffers.comp:35
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) uniform usamplerBuffer bytes;
layout(binding = 1) uniform samplerBuffer floats;
layout(binding = 2, r32ui) uniform uimageBuffer counts;
layout(binding = 3, rgba32f) uniform writeonly imageBuffer wide;
layout(binding = 4, r32i) uniform iimageBuffer whole;
layout(binding = 6) uniform usamplerBuffer many[2];
layout(binding = 7) uniform usamplerBuffer part;
layout(binding = 5) buffer B { uint o[]; };
void main() {
  int l = int(gl_LocalInvocationIndex);
  uvec4 b = texelFetch(bytes, l * 3);
  imageStore(wide, 3 - l, vec4(b) + texelFetch(floats, l).x);
  imageStore(wide, l + 4, vec4(7));
  o[l] = imageLoad(counts, l + (l == 3 ? 100 : 0)).x;
  barrier();
  imageAtomicAdd(counts, l & 2, uint(l));
  imageAtomicMax(counts, 3, uint(l) + 44u);
  o[4 + l] = uint(imageAtomicExchange(whole, l, l * 100));
  o[8 + l] = (l & 1) == 0 ? texelFetch(many[0], l / 2).x : texelFetch(many[1], l / 2).x;
  o[12 + l] = texelFetch(part, l).x;
  o[16 + l] = l == 0 ? textureSize(bytes) : l == 1 ? imageSize(wide) : l == 2 ? textureSize(many[1]) : textureSize(part);
  o[20 + l] = texelFetch(floats, l).w == 1.0 ? 1 : 0;
}
