// -- what a loop has loaded is used behind it, by invocations that leave the loop at different times
// buffer 0 u32: 5 2 0 7 1 3 9 0 4 6 8 1 0 0 0 2
// buffer 1 poison: 20
// model-only: lavapipe 22.3.6 and SwiftShader give 0 (docs/device-deviations.md)
// -- 9 times the number of turns
// expect 1 u32: 63 54 45 36 27
#version 450
layout(local_size_x = 5) in;
layout(binding = 0) buffer A { uint next[16]; };
layout(binding = 1) buffer B { uint result[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint now, turns = 0;
  do {
    now = next[i + turns];
    ++turns;
  } while (now != 9);
  result[i] = now * turns;
}
