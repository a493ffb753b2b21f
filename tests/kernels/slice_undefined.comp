#version 460
// Of each pair of words the first comes from something undefined, and the second, its near miss, from nothing of the kind.
// n: 40, 0, 3, 8, the bits of -1.0, 2^31, 2^32 - 1.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) writeonly buffer Result { uint result[]; };
layout(set = 0, binding = 1, std430) readonly buffer Numbers { uint n[]; };
shared uint tile[4];

void variables() {
  uint never, some, other;
  if (n[0] == 77777u) never = 4u;
  if (n[0] != 77777u) some = 4u;
  result[0] = never + n[2];
  result[1] = some + n[2];
  result[2] = mix(n[2], other, n[1] == 0u);
  result[3] = mix(other, n[2], n[1] == 0u);
}

void operations() {
  result[4] = bitfieldInsert(0u, 0xffu, int(n[0]), 3);
  result[5] = bitfieldInsert(0u, 0xffu, int(n[3]), 3);
  result[6] = 1u << n[0];
  result[7] = 1u << n[3];
  result[8] = uint(uintBitsToFloat(n[4]));
  result[9] = uint(uintBitsToFloat(n[1]));
  result[10] = uint(int(n[5]) / int(n[6]));
  result[11] = uint(int(n[3]) / int(n[6]));
  result[12] = clamp(5u, n[3], n[1]);
  result[13] = clamp(5u, n[1], n[3]);
}

void memory() {
  uint held[4];
  held[n[2]] = 5u;
  result[14] = held[n[1]];
  result[15] = held[n[2]];
  tile[n[2]] = 5u;
  result[16] = tile[n[1]];
  result[17] = tile[n[2]];
}

// The last, because every branch of an invocation counts for what it stores later.
void branches() {
  bool maybe, known = n[1] == 0u;
  uint chosen = 1u, sure = 1u;
  if (known) sure = 2u;
  result[19] = sure;
  if (maybe) chosen = 2u;
  result[18] = chosen;
}

void main() {
  variables();
  operations();
  memory();
  branches();
}
