// Four invocations of a workgroup: shared words, barriers and atomics. MODE says what is missing.
#version 460
layout(local_size_x = 4) in;
layout(constant_id = 0) const uint MODE = 0;
layout(binding = 0) buffer R { uint result[]; };
shared uint words[4];
shared uint count;
void main() {
  const uint i = gl_LocalInvocationIndex;
  words[i] = i + 1;
  if (i == 0) count = 0;
  if (MODE != 1) barrier();
  const uint got = words[3 - i];
  if (MODE == 2) {
    const uint place = atomicAdd(count, 1u);
    barrier();
    result[i] = got + place * 0 + count;
  } else {
    result[i] = got;
  }
}
