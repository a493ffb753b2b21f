// -- As weak_halves.comp, with texels of one byte.
// image 0 r8ui 2d 4x1 u8: 0 0 0 0
// buffer 1 u32: 2*0
// expect 0 u8: 1 5 0 0
// expect 1 u32: 0 1
#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 2) in;
layout(binding = 0, r8ui) nonprivate uniform uimage2D texels;
layout(binding = 1) buffer O { uint seen[2]; };
void meet() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsImage,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) seen[0] = imageLoad(texels, ivec2(0)).x;
  meet();
  if (i == 1) imageStore(texels, ivec2(0), uvec4(1));
  meet();
  if (i == 0) {
    imageStore(texels, ivec2(1, 0), uvec4(5));
    seen[1] = imageLoad(texels, ivec2(0)).x;
  }
}
