// Two variables of one buffer, that only the order in which workgroup 1 comes behind 3 alone uses.
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer A { uint a[]; };
layout(binding = 1) coherent buffer B { uint b[]; };
layout(binding = 2) buffer N { uint seen, read; };
void main() {
  const uint w = gl_WorkGroupID.x;
  const uint before = atomicAdd(seen, 1u << (8u * w));
  if (w == 1u && before == (1u << 24)) {
    a[3] = 0u;
    if (b[3] == 99u) read = 1u;
  }
}
