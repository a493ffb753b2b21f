// -- OpReadClockKHR never goes back
// model-only: VK_KHR_shader_clock
// buffer 0 u32: 3 5 2 4
// buffer 1 poison: 16
// expect 1 u32: 1 1 1 1
#version 460
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint v[]; };
layout(binding = 1) buffer O { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex, sum = 0;
  uint64_t before = clockARB();
  uvec2 words = clock2x32ARB();
  for (uint i = 0; i < v[l]; ++i) sum += i * v[i & 3];
  uint64_t after = clockARB(), real = clockRealtimeEXT();
  o[l] = after > before && real >= after && words.x > uint(before) && words.y == 0 && sum != 0 ? 1 : 0;
}
