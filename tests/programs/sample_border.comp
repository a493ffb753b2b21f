// -- borders: the fixed colours, one of the user's, integers; what a format lacks is 0, alpha 1
// image 0 rgba32f 2d 1x1 f32: 9 9 9 9
// sampler 1.0: clamp-to-border
// sampler 1.1: clamp-to-border,border=0/0/0/1
// sampler 1.2: clamp-to-border,border=1/1/1/1
// sampler 1.3: clamp-to-border,border=0.25/0.5/0.75/2
// image 2 rgba32ui 2d 1x1 u32: 9 9 9 9
// sampler 3.0: clamp-to-border,int-border=1/1/1/1
// sampler 3.1: clamp-to-border,int-border=7/8/9/10
// image 4 rg32f 2d 1x1 f32: 9 9
// buffer 5 poison: 144
// expect 5 f32: 0 0 0 0 0 0 0 1 1 1 1 1 0.25 0.5 0.75 2 1 1 1 1 7 8 9 10 0 0 0 1 0.25 0.5 0 1 9 9 0 1
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform texture2D floats;
layout(binding = 1) uniform sampler s[4];
layout(binding = 2) uniform utexture2D whole;
layout(binding = 3) uniform sampler i[2];
layout(binding = 4) uniform texture2D two;
layout(binding = 5) buffer B { vec4 o[]; };
void main() {
  for (int k = 0; k < 4; ++k) o[k] = textureLod(sampler2D(floats, s[k]), vec2(-1, 0.5), 0);
  for (int k = 0; k < 2; ++k) o[4 + k] = vec4(textureLod(usampler2D(whole, i[k]), vec2(0.5, 1.5), 0));
  o[6] = textureLod(sampler2D(two, s[0]), vec2(-1, 0.5), 0); o[7] = textureLod(sampler2D(two, s[3]), vec2(2, 0.5), 0); o[8] = textureLod(sampler2D(two, s[0]), vec2(0.5), 0);
}
