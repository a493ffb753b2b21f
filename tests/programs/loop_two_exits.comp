// -- Lanes leave the inner loop by different exits, one of which no lane chooses on its own: what they bring along differs behind it.
// buffer 0 u32: 3 5
// buffer 1 poison: 64
// expect 1 u32: 3 3 3 3 3 0 3 3 3 3 3 3 3 3 3 3
#version 460
layout(local_size_x = 16) in;
layout(binding = 0) buffer A { uint rounds, chosen; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex, count = 0;
  for (uint i = 0; i < rounds; ++i) {
    bool leave = false;
    for (uint j = 0; j < 1; ++j)
      if (l == chosen) { leave = true; break; }
    if (leave) break;
    ++count;
  }
  o[l] = count;
}
