// Samples and gathers at each point given, at one level of detail for all.
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Points { vec4 points[]; };
layout(binding = 1) writeonly buffer Results { uvec4 results[][8]; };
layout(binding = 2) uniform sampler2D plane;
layout(binding = 3) uniform sampler2DArray layers;
layout(binding = 4) uniform usampler2D whole;
layout(push_constant) uniform Push { float lod; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec3 p = points[i].xyz;
  results[i][0] = floatBitsToUint(textureLod(plane, p.xy, lod));
  results[i][1] = floatBitsToUint(textureLodOffset(plane, p.xy, lod, ivec2(-3, 2)));
  results[i][2] = floatBitsToUint(textureLod(layers, p, lod));
  results[i][3] = floatBitsToUint(textureGather(plane, p.xy));
  results[i][4] = floatBitsToUint(textureGatherOffset(plane, p.xy, ivec2(1, -2), 3));
  results[i][5] = floatBitsToUint(textureGather(layers, p, 1));
  results[i][6] = textureLod(whole, p.xy, lod);
  results[i][7] = textureGather(whole, p.xy, 2);
}
