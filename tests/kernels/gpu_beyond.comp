#version 460
// Writes one element too many, as far as robust access lets it.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) writeonly buffer Target { uint target[]; };
layout(push_constant) uniform Push { uint at; } push;
void main() { target[push.at] = 7u; }
