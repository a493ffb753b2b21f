// buffer 0 poison: 512
// groups 1 1 1
// expect 0 u32: 7 24 139643 7 9637 11668 7 3132 129 7 109162 5218 7 139625 219 7 765 264 7 42219 42117 7 1818 9612 7 275629 271642 7 11640 302105 7 2537 1485 7 135697 178 7 76628 3098 7 609 6469 7 18338 18120 7 699 3817 7 744 198177 7 107077 109108 7 22572 849 7 596602 24898 7 627065 939 7 1217 670230 711408 67029 623325 608039 10475 299057 569850 380764 227832 420829 500296 201465 4773 5316 140220 136581 18312 113093 98071 9581 7694 7694 9581 98071 113093 18312 136581 140220 5316 4773 201465 500296 420829 227832 380764 569850 299057 856 23*0 271
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o[]; };
shared uint s[64];
uint inner(uint a, inout uint log) {
  for (;;) {
    a = a * 5 + 3;
    log += a;
    if ((a & 7) == 2) return a;
    if ((a & 12) == 8) return a * 2;
    if (a > 100000) return 1;
    if ((a & 3) == 1) { log ^= 3; continue; }
  }
}
uint outer(uint a) {
  uint log = 0;
  if (a % 3 == 0) return 7;
  for (uint i = 0; i < 6; ++i) {
    uint r = inner(a + i, log);
    if (r % 5 == 1) return r + log;
    if (r % 7 == 3) break;
  }
  return log;
}
void main() {
  uint l = gl_LocalInvocationIndex;
  uint a = outer(l);
  s[l] = a;
  barrier();
  uint b = 0;
  if (l < 40) b = outer(l + 17) + s[63 - l];
  barrier();
  s[l] = b;
  barrier();
  o[l] = a;
  o[64 + l] = b + s[(l + 1) % 64];
}
