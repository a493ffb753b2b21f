#version 460
#extension GL_EXT_samplerless_texture_functions : require
// Every kind of binding that reflection knows; nobody runs it.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std140) uniform Uniforms { uint index; } uniforms;
layout(set = 0, binding = 1) uniform texture2D textures[3];
layout(set = 0, binding = 2) uniform sampler plain;
layout(set = 0, binding = 3) uniform sampler3D combined;
layout(set = 0, binding = 4, std430) buffer Target { vec4 target[]; };
shared vec3 many[40];
shared uint one;
void main() {
  one = uniforms.index;
  many[one] = texelFetch(textures[1], ivec2(0), 0).xyz + texture(sampler2D(textures[2], plain), vec2(0.5)).xyz;
  target[0] = vec4(many[0], 1.0) + textureLod(combined, vec3(0.5), 0.0);
}
