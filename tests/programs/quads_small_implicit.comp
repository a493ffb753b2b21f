// -- a derivative and an implicit level of detail where a subgroup has two invocations
// model-only: VK_KHR_compute_shader_derivatives, and no device has such subgroups
// subgroup-dependent
// subgroup-size 2
// image 0 r32f 2d 2x2 f32: 4*3
// sampler 0: repeat
// buffer 1 f32: 8*0
// expect 1 f32: 1 1 1 1 3 3 3 3
// finding quads_small_implicit.comp:18: quads in small subgroups: OpDPdxCoarse, in a subgroup of 2, invocation 0,0,0 of dispatch 0
// finding quads_small_implicit.comp:19: quads in small subgroups: OpImageSampleImplicitLod, in a subgroup of 2, invocation 0,0,0 of dispatch 0
// finding quads_small_implicit.comp:19: undefined value: OpImageSampleImplicitLod, as an address
#version 460
#extension GL_NV_compute_shader_derivatives : require
layout(derivative_group_linearNV, local_size_x = 4) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1) buffer B { float dx[4], texel[4]; };
void main() {
  dx[gl_LocalInvocationIndex] = dFdxCoarse(float(gl_LocalInvocationIndex));
  texel[gl_LocalInvocationIndex] = texture(t, vec2(0.25)).x;
}
