// Scan over workgroups in one pass: tiles by ticket, decoupled look-back over aggregates and inclusive prefixes packed with their state.
// small: --groups 4 --buffer Source=u32:noise:512:0..999 --buffer State=zeros:20 --out Sums=-:2048
// large: --groups 4096 --buffer Source=u32:noise:524288:0..999 --buffer State=zeros:16388 --out Sums=-:2097152
#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Source { uint source[]; };
layout(binding = 1) buffer State { uint ticket; uint state[]; };
layout(binding = 2) writeonly buffer Sums { uint sums[]; };
const uint HAS_SUM = 0x40000000u, HAS_PREFIX = 0x80000000u, VALUE = 0x3fffffffu;
shared uint scan[128];
shared uint tile, before;
void publish(uint index, uint word) {
  atomicStore(state[index], word, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}
void main() {
  const uint t = gl_LocalInvocationIndex;
  if (t == 0) tile = atomicAdd(ticket, 1);
  barrier();
  const uint i = tile * 128 + t;
  scan[t] = source[i];
  barrier();
  for (uint d = 1; d < 128; d *= 2) {
    uint other = t >= d ? scan[t - d] : 0;
    barrier();
    scan[t] += other;
    barrier();
  }
  if (t == 0) {
    const uint sum = scan[127];
    uint prefix = 0;
    if (tile == 0) {
      publish(0, HAS_PREFIX | sum);
    } else {
      publish(tile, HAS_SUM | sum);
      for (uint back = tile - 1;;) {
        uint word = atomicLoad(state[back], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
        if (word == 0) continue;
        prefix += word & VALUE;
        if ((word & HAS_PREFIX) != 0) break;
        back--;
      }
      publish(tile, HAS_PREFIX | ((prefix + sum) & VALUE));
    }
    before = prefix;
  }
  barrier();
  sums[i] = before + scan[t];
}
