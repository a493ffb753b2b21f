// What every single-pass pyramid shares: its push constants and counters, and how the last workgroup to finish is found.
//
// A workgroup reduces its tile of 2^n texels a side by n levels. A device counter says who is last; the last workgroup then takes level n
// as its base, tile after tile, and after that level 2n (spd_main.glsl). What is written and read across invocations and how it is ordered
// (Vulkan's memory model; the pictures are not coherent, so the edges below are all there are):
//
//   a  every invocation's texels -> invocation 0 of its workgroup: tailBarrier's release and acquire, workgroup scope, images; the texels
//      become available to the workgroup
//   b  invocation 0 of each workgroup -> invocation 0 of the last: the counter's atomics release at device scope, with images among their
//      semantics, and the last's memory barrier, with buffers (the counter) and images among its own, acquires; the chain a, b makes the
//      texels available to the device and visible to the last workgroup's invocation 0. Who is not last acquires nothing
//   c  invocation 0 of the last workgroup -> its other invocations: tailBarrier again; `last` itself goes by tileBarrier
//   d  between the tail's passes: tailBarrier; the texels that one pass wrote are visible to the next
//   e  inside a tile: tileBarrier, in workgroup memory, from those who wrote a level to those who read it, and where the memory is used
//      again, from the readers to the next writers
//
// The including file says how many pictures there are (kPictures). Each place that reads or writes a picture names it by a constant once functions are inlined: some drivers write code for all pictures
// wherever any of them may be meant.
layout(push_constant) uniform Push {
  uvec2 size;    // of level 0
  uint levels;   // to make, level 0 among them
  uint groups;   // workgroups a layer
  uvec2 origin;  // the first workgroup's tile
  uint reduction;
} push;

layout(set = 0, binding = 2) restrict buffer Counters { uint finished[]; } counters;  // one a layer; 0 before and after

uvec2 levelSize(uint level) { return max(push.size >> level, uvec2(1u)); }

shared bool last;

const int kEdge = gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible;

// Edge e. Workgroup memory is coherent in its workgroup by itself.
void tileBarrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

// Edges a, c and d.
void tailBarrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared | gl_StorageSemanticsImage, kEdge);
}

// Whether this workgroup is the last of its layer: true in all its invocations or in none. Edges a, b, c.
bool isLastWorkgroup() {
  uint layer = gl_WorkGroupID.z;
  const int kPlaces = gl_StorageSemanticsBuffer | gl_StorageSemanticsImage;
  tailBarrier();
  if (gl_LocalInvocationIndex == 0u) {
    uint before = atomicAdd(counters.finished[layer], 1u, gl_ScopeDevice, kPlaces, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
    last = before + 1u == push.groups;
    if (last) {
      memoryBarrier(gl_ScopeDevice, kPlaces, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
      // Nobody else comes: the next dispatch finds 0, ordered by the barrier between dispatches.
      atomicStore(counters.finished[layer], 0u, gl_ScopeDevice, 0, 0);
    }
  }
  tileBarrier();
  if (!last) return false;
  tailBarrier();
  return true;
}
