// -- The lowest number divided and negated: a negation is not moved to the constant, which has no negative.
// differs swiftshader: it is, by the spirv-opt inside; the quotient comes out with the wrong sign
// unoptimised: spirv-opt -O makes the same mistake
// buffer 0 i32: 33
// buffer 1 poison: 8
// expect 1 i32: 65075262 65075262
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer I { int i[]; };
layout(binding = 1) buffer O { int o[]; };
void main() {
  o[0] = -(int(0x80000000u) / i[0]);
  o[1] = -(int(0x80000001u) / i[0]);
}
