// -- Variables that hold an argument or an intermediate value, near misses of these, and equal operations on several ways
// buffer 0 u32: 5 0 1 2
// buffer 1 poison: 52
// groups 1 1 1
// expect 1 u32: 916516 920825 96 117 2305 2706 1206 1407 806 607 10053736 15204443 15
#version 460
layout(local_size_x = 2) in;
layout(binding = 0) readonly buffer A { uint given[4]; };
layout(binding = 1) buffer B { uint o[]; };
struct Pair { uvec2 both; uint third[2]; };
uint third(Pair p, uint i) { return p.third[1] * 100 + p.third[i] + p.both.y; }  // a step that only a lane knows
uint onlyRead(uvec3 v, uint n) {
  uint sum = 0;
  for (uint i = 0; i < n; ++i) sum = sum * 3 + v.z + (i == 1 ? v.x : v.y);
  return sum;
}
uint passesOn(uvec3 v, uint n) { return onlyRead(v, n) + onlyRead(v.zyx, n + 1); }
uint writes(uint a) { for (uint i = 0; i < 2; ++i) a = a * 2 + 1; return a; }
void both(inout uint a, out uint b) { b = a + 1; a = b * 2; }
uint late(uint a) { if (a > 5) return a; a += 3; return a; }
uint outside(uint n) {
  uint last, odd = 0;
  for (uint i = 0; i < n; ++i) { last = i * 5; if ((i & 1) == given[1]) continue; odd += last; }
  return last * 100 + odd;
}
void main() {
  uint l = gl_LocalInvocationIndex, x = given[0] + l;
  Pair p = Pair(uvec2(x, x + 1), uint[2](x * 2, x * 3));
  uint first = third(p, l);
  p.third[1] = 9;
  first += third(p, 1 - l) * 1000;
  uint a = x, b;
  both(a, b);
  uint sides, c = x * 7 + given[2];
  if (l == given[2]) sides = x * 7 + given[2] + 1; else sides = (x * 7 + 0) * 1 + given[3];
  o[l] = first;
  o[2 + l] = passesOn(uvec3(x, 2, l), 2);
  o[4 + l] = writes(x) * 100 + x;
  o[6 + l] = a * 100 + b;
  o[8 + l] = late(x) * 100 + late(x + 1);
  o[10 + l] = outside(3 + l) * 10000 + sides * 100 + c;
  if (l == 0) o[12] = (x ^ 0) + (x - 0) * 2;
}
