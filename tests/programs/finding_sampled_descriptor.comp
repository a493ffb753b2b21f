// -- an image that is not bound, and a sampler beyond its array: what is sampled is 0
// model-only: lavapipe has no non-uniform indexing
// image 0.0 r32f 2d 1x1 f32: 3
// sampler 1.0: nearest
// buffer 2 poison: 24
// expect 2 f32: 3 0 3 3 3 3
// finding finding_sampled_descriptor.comp:17: no descriptor: OpImageSampleExplicitLod of 't', element 1, invocation 1,0,0 of dispatch 0
// finding finding_sampled_descriptor.comp:18: no descriptor: OpImageSampleExplicitLod of 's', element 2, invocation 2,0,0 of dispatch 0
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 3) in;
layout(binding = 0) uniform texture2D t[];
layout(binding = 1) uniform sampler s[1];
layout(binding = 2) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = textureLod(nonuniformEXT(sampler2D(t[l == 1 ? 1 : 0], s[0])), vec2(0.5), 0.0).x;
  o[3 + l] = textureLod(nonuniformEXT(sampler2D(t[0], s[l == 2 ? 2 : 0])), vec2(0.5), 0.0).x;
}
