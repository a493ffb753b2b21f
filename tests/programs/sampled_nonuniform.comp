// -- images, samplers and texel buffers chosen by a value that lanes do not share; one that is not there reads 0
// model-only: lavapipe has no non-uniform indexing
// image 0.0 r32f 2d 2x1 f32: 1 2
// image 0.1 r32f 2d 2x1 f32: 3 4
// image 0.2 r32f 2d 2x1 f32: 5 6
// sampler 1.0: nearest
// sampler 1.1: linear,repeat
// texel-buffer 2.0 r32ui u32: 1 2 3
// texel-buffer 2.1 r32ui u32: 4 5 6
// buffer 3 poison: 96
// expect 3 f32: 1 3.5 5 1.5 3 5.5 1 4 6 1 3 0 1 4 2 5 3 6 0 0 1 4 2 5
// finding no descriptor: OpImageSampleExplicitLod of 't', element 1000
// finding out of range (texel): OpImageFetch of 'b[0][3]', outside of 3x1x1
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 12) in;
layout(binding = 0) uniform texture2D t[3];
layout(binding = 1) uniform sampler s[2];
layout(binding = 2) uniform utextureBuffer b[2];
layout(binding = 3) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = textureLod(nonuniformEXT(sampler2D(t[l == 11 ? 1000 : l % 3], s[l & 1])), vec2(l == 7 ? 0.75 : l == 8 ? 0.75 : l == 9 ? 0.25 : l & 1) * (l > 6 ? 1.0 : 0.5), 0).x;
  o[12 + l] = texelFetch(b[nonuniformEXT(l & 1)], int(l / 2) % 4).x;
}
