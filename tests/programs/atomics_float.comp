// -- add, min, max, exchange and load of 16-, 32- and 64-bit floats, in buffers and in workgroup memory
// model-only: VK_EXT_shader_atomic_float2
// buffer 0 f32: 1.5 -2.25 3.0 0.5 -8.0 4.0 2.0 0.25
// buffer 1 f32: 10 0 0 7
// buffer 1 f64: 10 0 0 7
// buffer 1 f16: 0x4900 0x0 0x0 0x4700
// buffer 2 poison: 80
// expect 1 f32: 11.0 -8 4 -1
// expect 1 f64: 11.0 -8 4 -1
// expect 1 f16: 0x4980 0xc800 0x4400 0xbc00
// expect 2 f64: 1.0 -8 4
// expect 2 f32: 1.0 -8 4
// expect 2 f16: 0x3c00 0xc800 0x4400 0x0
// expect 2 f32: 7 7
// expect 2 u32: 0xa7a7a7a7
// expect 2 f64: 7
// expect 2 f32: 0 0 0 0
#version 460
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { float v[8]; };
layout(binding = 1, scalar) buffer B { float f[4]; double d[4]; float16_t h[4]; };
layout(binding = 2, scalar) buffer C { double od[3]; float of[3]; float16_t oh[4]; float was[2]; double wasd; float pad[4]; };
shared float sf[3];
shared double sd[3];
shared float16_t sh[3];
void main() {
  uint l = gl_LocalInvocationIndex;
  if (l < 3) { sf[l] = 0; sd[l] = 0; sh[l] = float16_t(0); pad[l] = 0; }
  if (l == 3) { pad[3] = 0; oh[3] = float16_t(0); }
  barrier();
  float x = v[l]; double y = x; float16_t z = float16_t(x);
  atomicAdd(f[0], x); atomicMin(f[1], x); atomicMax(f[2], x);
  atomicAdd(d[0], y); atomicMin(d[1], y); atomicMax(d[2], y);
  atomicAdd(h[0], z); atomicMin(h[1], z); atomicMax(h[2], z);
  atomicAdd(sf[0], x); atomicMin(sf[1], x); atomicMax(sf[2], x);
  atomicAdd(sd[0], y); atomicMin(sd[1], y); atomicMax(sd[2], y);
  atomicAdd(sh[0], z); atomicMin(sh[1], z); atomicMax(sh[2], z);
  if (l == 0) {
    was[0] = atomicLoad(f[3], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    was[1] = atomicExchange(f[3], -1.0);
    wasd = atomicExchange(d[3], -1.0lf);
    atomicStore(h[3], float16_t(-1), gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  }
  barrier();
  if (l < 3) { od[l] = sd[l]; of[l] = sf[l]; oh[l] = sh[l]; }
}
