#version 460
// target[i] = source[i] * factor + kBias: buffers, push and specialization constants (all three kinds of them).
layout(local_size_x_id = 2) in;
layout(constant_id = 0) const uint kBias = 5;
layout(constant_id = 1) const bool kNegate = false;
layout(set = 0, binding = 0, std430) readonly buffer Source { uint source[]; };
layout(set = 1, binding = 3, std430) buffer Target { uint target[]; };
layout(push_constant) uniform Push { uint count; uint factor; } push;
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= push.count) return;
  uint value = source[i] * push.factor + kBias;
  target[i] = kNegate ? -value : value;
}
