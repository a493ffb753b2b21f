// -- with the Vulkan memory model an access says whether it is private: no barrier orders a buffer, a texel or what a pointer leads to that
// -- is. Near miss: a buffer that is coherent within the workgroup
// buffer 0 u32: 8*0
// buffer 1 u32: 8*0
// image 2 r32ui 2d 8x1 u32: 8*0
// push address: 3
// buffer 3 u32: 8*0
// buffer 4 u32: 32*0
// model-only: what a race gives on a device is its own business
// one-order
// expect 4 u32: 7 6 5 4 3 2 1 0 7 6 5 4 3 2 1 0 7 6 5 4 3 2 1 0 7 6 5 4 3 2 1 0
// finding race_vulkan_private.comp:34: data race: OpLoad of 'plain[7]', invocation 0,0,0 of dispatch 0; against the store by 7,0,0 at race_vulkan_private.comp:28; it read 7; the barrier at race_vulkan_private.comp:33 stands between them, but 'plain' is not coherent
// finding race_vulkan_private.comp:36: data race: OpImageRead of 'texels[7,0]', invocation 0,0,0 of dispatch 0; against the store by 7,0,0 at race_vulkan_private.comp:30; it read 7; the barrier at race_vulkan_private.comp:33 stands between them, but 'texels' is not coherent
// finding race_vulkan_private.comp:37: data race: OpLoad of 'block.its[%97], byte 28 of 3', invocation 0,0,0 of dispatch 0; against the store by 7,0,0 at race_vulkan_private.comp:31; it read 7; the barrier at race_vulkan_private.comp:33 stands between them, but 'Block' is not coherent
#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
#pragma use_vulkan_memory_model
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Block { uint its[8]; };
layout(binding = 0) buffer A { uint plain[]; };
layout(binding = 1) workgroupcoherent buffer B { uint kept[]; };
layout(binding = 2, r32ui) uniform uimage2D texels;
layout(binding = 4) buffer E { uint result[]; };
layout(push_constant) uniform Push { Block block; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  plain[i] = i;
  kept[i] = i;
  imageStore(texels, ivec2(i, 0), uvec4(i));
  block.its[i] = i;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsImage,
                 gl_SemanticsAcquireRelease);
  result[i] = plain[7 - i];
  result[8 + i] = kept[7 - i];
  result[16 + i] = imageLoad(texels, ivec2(7 - i, 0)).x;
  result[24 + i] = block.its[7 - i];
}
