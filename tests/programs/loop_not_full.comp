// -- fewer invocations than a subgroup has: what the last turn of a loop loads is used behind the loop
// buffer 0 u32: 2 0 0 0
// model-only: lavapipe 22.3.6 gives 0 (docs/device-deviations.md)
// expect 0 u32: 2 2 2 2
#version 450
layout(local_size_x = 3) in;
layout(binding = 0) buffer O { uint flag; uint seen[3]; };
void main() {
  uint now;
  do { now = flag; } while (now == 0);
  seen[gl_LocalInvocationIndex] = now;
}
