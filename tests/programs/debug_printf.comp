// -- NonSemantic.DebugPrintf: every conversion, vectors, 64 bits; lines of the active lanes in lane order
// buffer 0 poison: 8
// groups 2 1 1
// print 0 0 0: lane 0
// print 1 0 0: lane 1
// print 0 0 0: 7 -7 7 7 7 7 1 0 100% ffffffff FF
// print 0 0 0: 0x7 007 7   | 37777777771|
// print 0 0 0: 1.500000 1.5 0x1.8p+0 1.500000e+00 -1.50 0.333333 0.250000
// print 0 0 0: (1.00, 2.50, -3.00) [1, 2] <4, 5, 6, 4294967289>
// print 0 0 0: 18446744073709551615 -1 18446744073709551614 8000000000000000
// print 0 0 0: 200 -56 65535 -1
// print 0 0 0: %z 3
// print 1 0 0: odd
// print 2 0 0: lane 2
// print 3 0 0: lane 3
// print 3 0 0: odd
// expect 0 u32: 5 6
// max-steps 1000
// finding debug_printf.comp:39: data race of equal values: OpStore of 'o[0]', invocation 2,0,0 of dispatch 0; against the store by 0,0,0 at debug_printf.comp:39
#version 460
#extension GL_EXT_debug_printf : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 2) in;
layout(binding = 0) buffer O { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  debugPrintfEXT("lane %u", gl_GlobalInvocationID.x);
  if (gl_GlobalInvocationID.x == 0) {
    debugPrintfEXT("%d %i %u %d %i %x %d %d 100%% %x %X", 7, -7, 7u, 7, 7, 7, true, false, -1, 255);
    debugPrintfEXT("%#x %03d %-4d|%12o|", 7, 7, 7, -7);
    float x = 1.5;
    debugPrintfEXT("%f %g %a %e %.2f %f %f", x, x, x, x, -x, float(1.0 / 3.0), float16_t(0.25));
    debugPrintfEXT("(%1.2v3f) [%v2d] <%v4u>", vec3(1, 2.5, -3), ivec2(1, 2), uvec4(4, 5, 6, -7));
    debugPrintfEXT("%lu %ld %ul %lx", uint64_t(-1l), -1l, uint64_t(-2l), uint64_t(1ul << 63));
    debugPrintfEXT("%u %d %u %d", uint8_t(200), int8_t(200), uint16_t(65535), int16_t(-1));
    debugPrintfEXT("%z %d", 3);
  }
  if ((l & 1) == 1) debugPrintfEXT("odd");
  o[l] = 5 + l;
}
