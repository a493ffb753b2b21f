// -- A list of one node, walked to its end. Nothing is loaded through the address 0 that ends it.
// differs lavapipe from 25.2: the load of the next node is made before the address is compared, and crashes (Mesa 25.2.8 and 26.2.6)
// push address: 1
// buffer 0 poison: 16
// buffer 1 u32: 5 6 0 0
// expect 0 u32: 4*5
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 4) in;
layout(buffer_reference, buffer_reference_align = 8) buffer Node;
layout(buffer_reference, std430) buffer Node { uint value; Node next; };
layout(push_constant) uniform P { Node head; } p;
layout(binding = 0) buffer O { uint o[4]; };
void main() {
  uint sum = 0;
  for (Node at = p.head; uint64_t(at) != 0; at = at.next) sum += at.value;
  o[gl_LocalInvocationIndex] = sum;
}
