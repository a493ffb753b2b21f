// -- a wait by the clock ends by itself, though nothing in memory changes
// model-only: the clock of the model counts steps
// buffer 0 u32: 0
// expect 0 u32: 7
#version 460
#extension GL_ARB_shader_clock : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint done; };
void main() {
  const uint begin = clock2x32ARB().x;
  while (clock2x32ARB().x - begin < 300000) {}
  done = 7;
}
