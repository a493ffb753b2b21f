// Each particle looks at 256 others. Structures of two vectors.
#version 460
layout(local_size_x = 64) in;
struct Particle { vec4 position, velocity; };
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) buffer R { Particle particles[]; };
layout(binding = 2) readonly buffer C { vec4 others[256]; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
  const vec4 own = vec4(uvec4(source[i * 4], source[i * 4 + 1], source[i * 4 + 2], source[i * 4 + 3]) & 0xffu);
  vec3 pull = vec3(0);
  for (uint k = 0; k < 256; ++k) {
    const vec3 way = others[k].xyz - own.xyz;
    pull += way / (dot(way, way) + 1);
  }
  particles[i].position = own + vec4(pull, 0);
  particles[i].velocity = vec4(pull, 1);
}
