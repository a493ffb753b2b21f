// buffer 0 poison: 512
// groups 1 1 1
// expect 0 u32: definition
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
