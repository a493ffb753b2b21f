// Workgroups with places of their own in one buffer, of which there are views of other units: MODE says which they store by.
#version 460
layout(local_size_x = 16) in;
layout(constant_id = 0) const uint MODE = 0;
layout(binding = 0) buffer R { uint result[]; };
layout(binding = 1) buffer S { uint counter, order[]; };
layout(binding = 2, r32ui) writeonly uniform uimageBuffer words;
layout(binding = 3, r16ui) writeonly uniform uimageBuffer halves;
void main() {
  const uint g = gl_WorkGroupID.x, i = gl_GlobalInvocationID.x, v = i * 2654435761u;
  if ((MODE & 1) != 0) result[i] = v;
  if ((MODE & 2) != 0) imageStore(words, int(i), uvec4(v));
  // The places of the same numbers, bytes or texels, are other bytes.
  if ((MODE & 4) != 0) imageStore(halves, int((MODE & 1) != 0 ? i * 4 : i), uvec4(~v & 0xffff));
  if ((MODE & 8) != 0) {  // their order
    uint old = 0;
    if (gl_LocalInvocationIndex == 0) old = atomicAdd(counter, 1);
    if (gl_LocalInvocationIndex == 0) order[g] = old;
  }
}
