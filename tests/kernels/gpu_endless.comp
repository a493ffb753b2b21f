#version 460
// Ends only when somebody else writes, which nobody does. On lavapipe, which leaves its loops after 65535 rounds in all, an invocation ends
// all the same: give it many workgroups.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) coherent buffer Target { uint target[]; };
void main() {
  while (atomicOr(target[0], 0u) == 0u) atomicAdd(target[1], 1u);
}
