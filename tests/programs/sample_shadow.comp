// -- comparisons: every operator, depth formats and a float, linear in halves and quarters, arrays, cubes, projections, gathers
// image 0 D32_SFLOAT 2d 2x2 f32: 0.25 0.5 0.75 0.5
// sampler 1.0: compare=never
// sampler 1.1: compare=less
// sampler 1.2: compare=equal
// sampler 1.3: compare=less-or-equal
// sampler 1.4: compare=greater
// sampler 1.5: compare=not-equal
// sampler 1.6: compare=greater-or-equal
// sampler 1.7: compare=always
// sampler 1.8: linear,compare=less
// image 3 D16_UNORM 2d 2x1 layers 2 u16: 0 65535 32768 16384
// sampler 3: compare=less-or-equal
// image 4 D32_SFLOAT cube 1x1 f32: 0 0.2 0.4 0.6 0.8 1
// sampler 4: compare=greater
// buffer 2 poison: 224
// -- 1/4, 1/2 and 3/4 compared with 1/2, by each operator
// expect 2 f32: 0 0 0  1 0 0  0 1 0  1 1 0  0 0 1  1 0 1  0 1 1  1 1 1
// -- linear: how many of 1/4, 1/2, 1/2, 3/4 are greater; then from column to column
// expect 2 f32: 1 0.75 0.25 0.25 0  0.25 0.375 0.5 0.625
// -- layers of 16 bits, the reference kept within 0 and 1; then 1 and 1/4
// expect 2 f32: 1 1 0 0  1 1 1 0
// -- faces of a cube; divided by the last coordinate
// expect 2 f32: 1 0 0 1  1 0 0
// -- gathers
// expect 2 f32: 1 1 1 0  1 0 0 1
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform texture2D depth;
layout(binding = 1) uniform samplerShadow s[9];
layout(binding = 3) uniform sampler2DArrayShadow layers;
layout(binding = 4) uniform samplerCubeShadow cube;
layout(binding = 2) buffer B { float o[]; };
void main() {
  int n = 0;
  for (int i = 0; i < 8; ++i)
    for (int r = 0; r < 3; ++r) o[n++] = textureLod(sampler2DShadow(depth, s[i]), vec3(0.75, 0.25, 0.25 + r * 0.25), 0);
  for (int r = 0; r < 5; ++r) o[n++] = textureLod(sampler2DShadow(depth, s[8]), vec3(0.5, 0.5, r * 0.1875 + 0.125), 0);
  for (int r = 0; r < 4; ++r) o[n++] = textureLod(sampler2DShadow(depth, s[8]), vec3(0.375 + 0.0625 * r, 0.25, 0.375), 0);
  for (int r = 0; r < 4; ++r) o[n++] = texture(layers, vec4(0.25, 0.5, r & 1, r < 2 ? -1.0 : 2.0));
  for (int r = 0; r < 4; ++r) o[n++] = texture(layers, vec4(0.75, 0.5, r & 1, r < 2 ? 0.25 : 0.2501));
  o[n++] = texture(cube, vec4(1, 0, 0, 0.1)); o[n++] = texture(cube, vec4(-1, 0, 0, 0.1)); o[n++] = texture(cube, vec4(0, 0, -1, 0.9)); o[n++] = texture(cube, vec4(0, 0, 1, 0.9));
  for (int r = 0; r < 3; ++r) o[n++] = textureProjLod(sampler2DShadow(depth, s[1]), vec4(1.5, 0.5, 0.5 + r * 0.5, 2), 0);
  vec4 g = textureGather(sampler2DShadow(depth, s[1]), vec2(0.5), 0.4);
  for (int c = 0; c < 4; ++c) o[n++] = g[c];
  g = textureGather(layers, vec3(0.5, 0.5, 1), 0.3);
  for (int c = 0; c < 4; ++c) o[n++] = g[c];
}
