// -- push constants and uniform buffers of 8 and 16 bits
// push u8: 1 255
// push u16: 1000
// push f16: 0x3e00 0xc000
// buffer 0 i8: -3 7
// buffer 0 i16: -300
// buffer 0 f16: 0x4200
// buffer 0 u8: 8*0
// buffer 1 poison: 36
// expect 1 i32: 1 -1 1000 -3 7 -300
// expect 1 f32: 1.5 -2 3
#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(push_constant) uniform P { uint8_t a; int8_t b; uint16_t c; float16_t d; float16_t e; } p;
layout(binding = 0, std140) uniform U { int8_t a; int8_t b; int16_t c; float16_t d; } u;
layout(binding = 1) buffer B { int o[6]; float f[3]; };
void main() {
  o[0] = int(uint(p.a)); o[1] = int(p.b); o[2] = int(uint(p.c));
  o[3] = int(u.a); o[4] = int(u.b); o[5] = int(u.c);
  f[0] = float(p.d); f[1] = float(p.e); f[2] = float(u.d);
}
