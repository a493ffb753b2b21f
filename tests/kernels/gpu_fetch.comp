#version 460
#extension GL_EXT_samplerless_texture_functions : require
// An array of sampled images, read texel by texel from both of their levels, and a uniform buffer.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform utexture2D textures[2];
layout(set = 0, binding = 1, std140) uniform Uniforms { uint add; } uniforms;
layout(set = 0, binding = 2, std430) writeonly buffer Target { uint target[]; };
void main() {
  target[0] = texelFetch(textures[0], ivec2(1, 0), 0).x + uniforms.add;
  target[1] = texelFetch(textures[0], ivec2(0, 0), 1).x + uniforms.add;
  target[2] = texelFetch(textures[1], ivec2(1, 0), 0).x + uniforms.add;
}
