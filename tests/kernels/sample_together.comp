// Samples and gathers at each point given, at one level of detail for all. The fourth number of each point is 0.
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Points { vec4 points[]; };
layout(binding = 1) writeonly buffer Results { uvec4 results[][8]; };
layout(binding = 2) uniform sampler2D plane;
layout(binding = 3) uniform sampler2DArray layers;
layout(binding = 4) uniform usampler2D whole;
layout(push_constant) uniform Push { float level; };
layout(constant_id = 0) const bool kAlone = false;  // levels and offsets are each invocation's own, so that it samples by itself
layout(constant_id = 1) const uint kActive = 16;    // of each sixteen invocations
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i % 16 >= kActive) return;
  vec3 p = points[i].xyz;
  float none = kAlone ? points[i].w : 0, lod = level + none;
  ivec2 still = ivec2(none);
  results[i][0] = floatBitsToUint(textureLod(plane, p.xy, lod));
  results[i][1] = floatBitsToUint(textureLodOffset(plane, p.xy, lod, ivec2(-3, 2)));
  results[i][2] = floatBitsToUint(textureLod(layers, p, lod));
  results[i][3] = floatBitsToUint(textureGatherOffset(plane, p.xy, still));
  results[i][4] = floatBitsToUint(textureGatherOffset(plane, p.xy, ivec2(1, -2) + still, 3));
  results[i][5] = floatBitsToUint(textureGatherOffset(layers, p, still, 1));
  results[i][6] = textureLod(whole, p.xy, lod);
  results[i][7] = textureGatherOffset(whole, p.xy, still, 2);
}
