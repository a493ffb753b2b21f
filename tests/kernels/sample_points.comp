// Samples one of three images at each point given: x, y, z and the level of detail.
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Points { vec4 points[]; };
layout(binding = 1) writeonly buffer Results { vec4 results[]; };
layout(binding = 2) uniform sampler2D plane;
layout(binding = 3) uniform sampler3D volume;
layout(binding = 4) uniform samplerCube cube;
layout(push_constant) uniform Push { uint shape; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 p = points[i];
  if (shape == 0) results[i] = textureLod(plane, p.xy, p.w);
  if (shape == 1) results[i] = textureLod(volume, p.xyz, p.w);
  if (shape == 2) results[i] = textureLod(cube, p.xyz, p.w);
  if (shape == 3) results[i] = textureGather(plane, p.xy);
}
