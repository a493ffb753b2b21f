// -- accesses outside: buffers at one place and at a place of each lane's own, texels of formats with and without alpha, of a smaller level
// model-only: the alpha outside of an image is the device's choice (outside_device_test.cpp has each device's)
// buffer 0 u32: 11 12 13 14 15
// buffer 1 f32: 0.5 1.5 2.5 3.5
// image 2 rgba8 2d 4x4 u8: 64*255
// image 3 r32f 2d 4x4 f32: 16*2
// image 4 rg16f 2d 4x4 u8: 64*0
// image 5 rgba32ui 2d 2x2 u32: 16*7
// image 6 r32ui 2d 4x4 layers 2 u32: 32*7
// image 7 r32f 2d 4x4 levels 2 f32: 20*2
// texel-buffer 8 rgba8 u8: 16*255
// texel-buffer 9 r32f f32: 4*2
// texel-buffer 10 r32i i32: 4*2
// buffer 11 poison: 192
// buffer 12 poison: 96
// expect 0 u32: 11 12 13 14 15
// expect 11 f32: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2 0 0 1 1 1 1 1
// expect 12 u32: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 14 15 15 15
// finding out of range (texel): OpImageRead of 'color[-1,0]', outside of 4x4x1, invocation 0,0,0 of dispatch 0
// finding out of range (texel): OpImageRead of 'gray[0,4]', outside of 4x4x1, invocation 0,0,0 of dispatch 0
// finding out of range (texel): OpImageRead of 'pair[4,0]', outside of 4x4x1, invocation 0,0,0 of dispatch 0
// finding out of range (texel): OpImageFetch of 'fetched[4,4]', outside of 4x4x1, invocation 0,0,0 of dispatch 0
// finding out of range (texel): OpImageFetch of 'fetched[2,0]', outside of 2x2x1, invocation 0,0,0 of dispatch 0
// finding out of range (texel): OpImageRead of 'colors[4]', outside of 4x1x1, invocation 0,0,0 of dispatch 0
// finding out of range (texel): OpImageFetch of 'grays[4]', outside of 4x1x1, invocation 0,0,0 of dispatch 0
// finding out of range (buffer): OpLoad of 'f[1].x', bytes 16 to 19 of 16, invocation 0,0,0 of dispatch 0 (4 times)
// finding out of range (buffer): OpLoad of 'f[14].x', bytes 224 to 227 of 16, invocation 0,0,0 of dispatch 0 (4 times)
// finding out of range (texel): OpImageRead of 'wide[2,0]', outside of 2x2x1, invocation 0,0,0 of dispatch 0 (4 times)
// finding out of range (buffer): OpLoad of 'a[5]', bytes 20 to 23 of 20, invocation 1,0,0 of dispatch 0 (4 times)
// finding out of range (texel): OpImageRead of 'stack[0,0,2]', outside of 4x4x2, invocation 0,0,0 of dispatch 0 (4 times)
// finding out of range (texel): OpImageRead of 'counts[-1]', outside of 4x1x1, invocation 0,0,0 of dispatch 0 (4 times)
// finding out of range (buffer): OpLoad of 'a[5]', bytes 20 to 23 of 20, invocation 0,0,0 of dispatch 0 (4 times)
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) readonly buffer F { vec4 f[]; };
layout(binding = 2, rgba8) uniform readonly image2D color;
layout(binding = 3, r32f) uniform readonly image2D gray;
layout(binding = 4, rg16f) uniform readonly image2D pair;
layout(binding = 5, rgba32ui) uniform readonly uimage2D wide;
layout(binding = 6, r32ui) uniform readonly uimage2DArray stack;
layout(binding = 7) uniform texture2D fetched;
layout(binding = 8, rgba8) uniform readonly imageBuffer colors;
layout(binding = 9) uniform textureBuffer grays;
layout(binding = 10, r32i) uniform readonly iimageBuffer counts;
layout(binding = 11) buffer R { vec4 r[]; };
layout(binding = 12) buffer O { uvec4 o[]; };
void main() {
  const uint l = gl_LocalInvocationIndex;
  const int i = int(l);
  if (l == 0) {
    r[0] = imageLoad(color, ivec2(-1, 0));
    r[1] = imageLoad(gray, ivec2(0, 4));
    r[2] = imageLoad(pair, ivec2(4, 0));
    r[3] = texelFetch(fetched, ivec2(4, 4), 0);
    r[4] = texelFetch(fetched, ivec2(2, 0), 1);
    r[5] = imageLoad(colors, 4);
    r[6] = texelFetch(grays, 4);
    r[7] = f[1];
    r[8] = f[3 + a[0]];
    r[9] = vec4(0);
    r[10] = imageLoad(gray, ivec2(3, 3));
    r[11] = imageLoad(color, ivec2(3, 3));
  }
  uvec4 mine = imageLoad(wide, ivec2(2 + i, 0));
  if (l == 0) o[0] = mine;
  if (l == 1) o[1] = uvec4(a[5], a[1000], a[5 + l], a[9 * l]);
  uvec4 whole = imageLoad(stack, ivec3(i, 0, 2));
  if (l == 3) o[2] = whole;
  ivec4 count = imageLoad(counts, -1 - i);
  if (l == 2) o[3] = uvec4(count);
  uint own = a[5 + l * 100];
  o[4][l] = own;
  o[5][l] = a[min(l + 3, 4)];
}
