// -- two workgroups store different values: told by the value's type
// buffer 0 i32: 0
// buffer 1 f16: 0 0
// buffer 2 i16: 0 0
// buffer 3 u32: 0
// image 4 rgba8i 2d 1x1
// image 5 rg16f 2d 1x1
// texel-buffer 6 r32i i32: 0
// buffer 7 f32: 0
// buffer 8 u32: 0
// groups 2 1 1
// unoptimised: stores that nobody reads between may be moved
// expect 8 u32: 2
// model-only: what a device gives is its own business
// finding race_values.comp:39: data race: OpStore of 'i', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_values.comp:39; first it is -1, then -2
// finding race_values.comp:40: data race: OpStore of 'h', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_values.comp:40; first it is -0.5, then -1.5
// finding race_values.comp:41: data race: OpStore of 's', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_values.comp:41; first it is -3, then -4
// finding race_values.comp:42: data race: OpStore of 'u', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_values.comp:42; first it is 4294967294, then 4294967295
// finding race_values.comp:43: data race: OpImageWrite of 'bytes[0,0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_values.comp:43; first it is (-1, 1, 127, -128), then (-2, 1, 127, -128)
// finding race_values.comp:44: data race: OpImageWrite of 'halves[0,0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_values.comp:44; first it is (-0.5, 1), then (-1.5, 1)
// finding race_values.comp:45: data race: OpImageWrite of 'words[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_values.comp:45; first it is -1, then -2
// finding race_values.comp:46: data race: OpStore of 'f', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_values.comp:46; first it is -0.5, then -1.5
#version 460
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { int i; };
layout(binding = 1) buffer B { float16_t h; };
layout(binding = 2) buffer C { int16_t s; };
layout(binding = 3) buffer D { uint u; };
layout(binding = 4, rgba8i) uniform iimage2D bytes;
layout(binding = 5, rg16f) uniform image2D halves;
layout(binding = 6, r32i) uniform iimageBuffer words;
layout(binding = 7) buffer E { float f; };
layout(binding = 8) buffer F { uint done; };
void main() {
  const int w = int(gl_WorkGroupID.x);
  i = -1 - w;
  h = float16_t(-0.5 - float(w));
  s = int16_t(-3 - w);
  u = uint(w - 2);
  imageStore(bytes, ivec2(0), ivec4(-1 - w, 1, 127, -128));
  imageStore(halves, ivec2(0), vec4(-0.5 - float(w), 1, 0, 0));
  imageStore(words, 0, ivec4(-1 - w));
  f = -0.5 - float(w);
  atomicAdd(done, 1);
}
