// A scan over workgroups in one pass: each waits for the one before it.
#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { uint result[]; };
layout(binding = 2) devicecoherent buffer C { uint ticket, sums[4096], flags[4096]; };
shared uint own[128];
shared uint group, before;
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) group = atomicAdd(ticket, 1);
  barrier();
  own[i] = source[group * 128 + i];
  barrier();
  for (uint apart = 1; apart < 128; apart *= 2) {
    const uint value = i >= apart ? own[i - apart] : 0;
    barrier();
    own[i] += value;
    barrier();
  }
  if (i == 127) {
    before = 0;
    if (group > 0) {
      while (atomicLoad(flags[group - 1], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 0) {}
      before = sums[group - 1];
    }
    sums[group] = before + own[127];
    atomicStore(flags[group], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  }
  barrier();
  result[group * 128 + i] = before + own[i];
}
