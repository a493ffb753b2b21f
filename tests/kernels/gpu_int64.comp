#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Target { uint64_t target[]; };
void main() { target[0] = target[0] * 0x100000001ul; }
