// -- What a specialization constant switches off: arms with loops and early returns, values that meet, loops; beside it one function called
// -- with conditions that are constants of the call alone
// buffer 0 poison: 80
// spec 1 = 3
// expect 0 u32: 0 1 2 0 1  1 1 2 3 1  2 1 2 6 1  7 1 2 9 1
#version 460
layout(local_size_x = 4) in;
layout(constant_id = 0) const bool kOff = false;
layout(constant_id = 1) const uint kMode = 2u;
layout(binding = 0) buffer Words { uint words[]; };
uint early(uint x) {
  if (kOff) {
    for (uint i = 0u; i < x; ++i)
      if (i == 5u) return i;
  } else if (x > 2u) {
    return 7u;
  }
  return x;
}
uint pick(bool first) {
  if (first) return 1u;
  return 2u;
}
uint meet(uint x) {
  uint v;
  if (kMode == 3u)
    v = x * 3u;
  else
    v = x * 5u;
  return v;
}
uint turns(uint x) {
  uint sum = 0u;
  while (kOff) {
    sum += x;
    if (sum > 100u) break;
  }
  do {
    sum += 1u;
  } while (kOff);
  return sum;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  words[5u * i] = early(i);
  words[5u * i + 1u] = pick(true);
  words[5u * i + 2u] = pick(false);
  words[5u * i + 3u] = meet(i);
  words[5u * i + 4u] = turns(i);
}
