#version 450
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) writeonly buffer Out { uint twice[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  twice[i] = 2u * values[i];
}
