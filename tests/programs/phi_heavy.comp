// buffer 0 poison: 512
// groups 2 1 1
// expect 0 u32: definition
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o[]; };
uint step_(uint s) { s ^= s << 13; s ^= s >> 17; return s ^ (s << 5); }
void main() {
  uint g = gl_GlobalInvocationID.x;
  uint s = g * 747796405u + 1u, a = 0, b = 1, c = 2, d = 3;
  bool stop = false;
  for (uint i = 0; i < 30 && !stop; ++i) {
    s = step_(s);
    uint kind = s % 7;
    if (kind == 0) { uint t = a; a = b + c; b = t; }
    else if (kind == 1) { for (uint j = 0; j < (s >> 4) % 5; ++j) { if (((s >> j) & 1) == 0) { c += j; continue; } d = c ^ (a + j); if (d % 11 == 5) break; a += d; } }
    else if (kind == 2) { do { b += 3; c ^= b; } while ((b & 4) == 0 && c % 3 != 1); }
    else if (kind == 3) { switch ((s >> 8) & 3) { case 0: a ^= d; case 1: b += a; break; case 2: if ((b & 1) == 1) { c = a; break; } d = b; default: c -= 7; } }
    else if (kind == 4) { stop = (s >> 9) % 5 == 0; d += stop ? a : b; }
    else if (kind == 5) { if ((a & 3) == 2) continue; a = a * 3 + 1; uint n = 0; while (a > 50 && n < 20) { a = (a & 1) == 1 ? a * 3 + 1 : a >> 1; if (a % 13 == 0) break; ++n; } b ^= n; }
    else d = d * 5 + c;
    c += i;
  }
  o[g] = a * 31 + b * 17 + c * 13 + d * 7 + uint(stop);
}
