// -- what Vulkan leaves open of filtering, where each choice of a profile gives other bits: a weight of 0.3, which is
// -- no multiple of 1/256; a sum that one rounding would bring elsewhere; a level of weight 0 that is infinite
// model-only: a device may choose
// image 0 r32f 2d 2x1 f32: 0 256
// image 1 r32f 2d 2x1 f32: -0.1 0.2
// image 2 r32f 2d 2x1 levels 2 f32: 5 5 inf
// sampler 3: linear,mip=linear
// buffer 4 poison: 12
// expect 4 f32: 77 -0.009765625 5
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform texture2D weights;
layout(binding = 1) uniform texture2D sums;
layout(binding = 2) uniform texture2D levels;
layout(binding = 3) uniform sampler s;
layout(binding = 4) writeonly buffer Out { float o[]; };
void main() {
  o[0] = textureLod(sampler2D(weights, s), vec2(0.4, 0.5), 0).x;
  o[1] = textureLod(sampler2D(sums, s), vec2(0.4, 0.5), 0).x;
  o[2] = textureLod(sampler2D(levels, s), vec2(0.5), 0).x;
}
