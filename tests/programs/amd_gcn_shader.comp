// -- SPV_AMD_gcn_shader: the face of a cube that a direction meets, and where on it
// model-only: an extension of AMD's devices
// buffer 0 f32: 2 1 0 0  -4 1 3 0  1 2 -1 0  1 -2 1 0  1 1 4 0  1 2 -2 0  -1 1 1 0
// buffer 1 poison: 84
// expect 1 f32: 0 0.5 0.25  1 0.875 0.375  2 0.75 0.25  3 0.75 0.25  4 0.625 0.375  5 0.25 0  4 0 0
#version 460
#extension GL_AMD_gcn_shader : require
layout(local_size_x = 7) in;
layout(binding = 0) buffer A { vec4 a[]; };
layout(binding = 1) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  vec3 d = a[l].xyz;
  vec2 c = cubeFaceCoordAMD(d);
  o[l * 3] = cubeFaceIndexAMD(d);
  o[l * 3 + 1] = c.x;
  o[l * 3 + 2] = c.y;
}
