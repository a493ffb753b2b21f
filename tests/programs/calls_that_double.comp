#version 460
// -- Functions that call the one before twice: 2^26 calls after inlining. It is refused at once.
// model-only: a device's compiler inlines them as well
// unoptimised: spirv-opt inlines them as well
// buffer 0 poison: 4
// error unsupported: more than 2^23 instructions after inlining
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint result; };
uint f0(uint x) { return x * 3u + 1u; }
#define TWICE(f, g) uint f(uint x) { return g(x) + g(x + 1u); }
TWICE(f1, f0)
TWICE(f2, f1)
TWICE(f3, f2)
TWICE(f4, f3)
TWICE(f5, f4)
TWICE(f6, f5)
TWICE(f7, f6)
TWICE(f8, f7)
TWICE(f9, f8)
TWICE(f10, f9)
TWICE(f11, f10)
TWICE(f12, f11)
TWICE(f13, f12)
TWICE(f14, f13)
TWICE(f15, f14)
TWICE(f16, f15)
TWICE(f17, f16)
TWICE(f18, f17)
TWICE(f19, f18)
TWICE(f20, f19)
TWICE(f21, f20)
TWICE(f22, f21)
TWICE(f23, f22)
TWICE(f24, f23)
TWICE(f25, f24)
TWICE(f26, f25)
void main() {
  result = f26(1u);
}
