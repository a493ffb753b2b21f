// -- members, elements, components and columns of buffers, workgroup memory, arrays of an invocation and a pointer to memory;
// -- tests/model/program/path_test.cpp asks for the names of what is touched
// buffer 0 u32: 1 3*0
// buffer 0 f32: 24*0.5
// buffer 1 poison: 36
// buffer 2.0 u32: 1 2 3 4
// buffer 2.1 u32: 5 6 7 8
// buffer 3 u32: 0 0 77 0
// push address: 3
// expect 1 f32: 0.5 0.5 0.5 3 4 8 77 0.5 2
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
struct Particle { vec3 position; float mass; mat2 spin; uint tags[3]; };
layout(binding = 0, std430) buffer Data { uint count; Particle list[]; } data;
layout(binding = 1) buffer O { float o[]; };
layout(binding = 2) buffer Many { uint x[4]; } many[2];
layout(buffer_reference, std430) buffer Node { uvec2 next; uint value; };
layout(push_constant) uniform Push { Node head; };
shared vec2 scratch[8];
void main() {
  uint i = data.count;
  o[0] = data.list[i].position.y;
  o[1] = data.list[0].spin[1][0];
  o[2] = data.list[i].mass;
  scratch[i + 2].y = 3;
  o[3] = scratch[i + 2].y;
  float local[5] = {0, 1, 2, 3, 4};
  local[i] = 7;
  o[4] = local[i + 3];
  o[5] = float(many[1].x[3]);
  o[6] = float(head.value);
  o[7] = data.list[i].position[i];
  local[2] += 0;
  o[8] = local[i + 1];
}
