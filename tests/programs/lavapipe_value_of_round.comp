// -- The value that a variable had in the round before, where the first round leaves it undefined and asks for another one
// differs lavapipe before 25.0: the last round has the value of its own (Mesa 22.3.6)
// buffer 0 u32: 2
// buffer 1 poison: 8
// groups 1 1 1
// expect 1 u32: 723 7234
#version 460
layout(local_size_x = 2) in;
layout(binding = 0) readonly buffer A { uint given[1]; };
layout(binding = 1) buffer B { uint o[]; };
uint rounds(uint n) {
  uint before, sum = 0, i = 0;
  do { sum = sum * 10 + mix(7u, before, i != 0); before = i + given[0]; } while (++i < n);
  return sum;
}
void main() {
  o[gl_LocalInvocationIndex] = rounds(3 + gl_LocalInvocationIndex);
}
