// max-steps 1000
// buffer 0 u32: 0
// error finding: the step limit of 1000 was reached
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { uint o[]; };
void main() { while (o[0] < 5) { o[0] = gl_LocalInvocationIndex; } }
