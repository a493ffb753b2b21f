// -- Branches that constant arguments decide when functions are inlined; what locals hold where paths meet
// buffer 0 u32: 5 0 1 2
// buffer 1 poison: 48
// groups 1 1 1
// expect 1 u32: 4257119 13750161 4352612 4390891 3090500 3040602 3090502 3040504 9 4 9 4
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer A { uint given[4]; };
layout(binding = 1) buffer B { uint o[]; };
uint chosen(uint way, uint a) {
  if (way == 0) return a + 1;
  if (way == 1) {
    for (uint i = 0; i < way + 1; ++i) a = a * 3 + i;
    return a;
  }
  switch (way) {
    case 2: a ^= 5;
    case 3: a += 100; break;
    case 4: return a * a;
    default: a = 0;
  }
  return a;
}
uint emptyLoop(uint rounds, uint a) {
  for (uint i = 0; i < rounds; ++i) { if (a == i) return 77; a += given[i & 3]; }
  do { if (rounds == 0) break; a += 1000; } while (false);
  return a;
}
uint endless(bool on, uint a) {
  while (on) a += 3;
  return a;
}
bool both(bool a, uint l) { return a && l % 3 == 1; }
bool either(bool a, uint l) { return a || l % 3 == 1; }
uint merged(uint l) {
  uint stays = 3, changes = 4, inLoop = 5, both = 6;
  if (l % 2 == given[1]) { changes = 9; both = l; } else { both = l + 1; }
  for (uint i = 0; i < given[3]; ++i) { if (l % 4 == 1) inLoop += i; else stays += 0; }
  if (stays == 3) o[8 + l] = changes; else o[8 + l] = inLoop;
  return stays * 1000000 + changes * 10000 + inLoop * 100 + both;
}
void main() {
  uint l = gl_LocalInvocationIndex, sum = 0;
  for (uint w = 0; w < 6; ++w) sum = sum * 7 + chosen(w, l);
  sum += chosen(0, l) + 3 * chosen(1, l) + 5 * chosen(2, l) + 7 * chosen(3, l) + 11 * chosen(4, l) + 13 * chosen(5, l);
  sum += emptyLoop(0, l) * 17 + emptyLoop(3, l) * 19;
  if (l == given[0] + 100) sum = endless(true, sum);
  sum += endless(false, l);
  if (both(true, l)) sum += 1u << 20;
  if (both(false, l)) sum += 1u << 21;
  if (either(true, l)) sum += 1u << 22;
  if (either(false, l)) sum += 1u << 23;
  o[l] = sum;
  o[4 + l] = merged(l);
}
