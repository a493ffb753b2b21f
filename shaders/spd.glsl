// What every single-pass pyramid shares: its push constants and counters, and how the last workgroup to finish is found.
//
// A workgroup reduces its tile of 2^n texels a side by n levels. A device counter says who is last; the last workgroup then takes level n
// as its base, tile after tile, and after that level 2n (spd_main.glsl). What is written and read across invocations and how it is ordered
// (Vulkan's memory model; the pictures are not coherent, so the edges below are all there are):
//
//   a  the one texel of level n that a workgroup's tile has -> the last workgroup: the invocation that stored it counts its workgroup.
//      The counter's atomics release at device scope, with images among their semantics, and the last's memory barrier, with buffers (the
//      counter) and images among its own, acquires. Nobody waits for the texels of the levels between, which the tail does not read, and
//      who is not last acquires nothing
//   b  the last workgroup's counting invocation -> its other invocations: tailBarrier; `last` itself goes by tileBarrier
//   c  between the tail's passes: tailBarrier; the texels that one pass wrote are visible to the next
//   d  inside a tile: tileBarrier, in workgroup memory, from those who wrote a level to those who read it, and where the memory is used
//      again, from the readers to the next writers
//
// The including file says how many pictures there are (kPictures). Each place that reads or writes a picture names it by a constant once
// functions are inlined: some drivers write code for all pictures wherever any of them may be meant.
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

// Edge d. Workgroup memory is coherent in its workgroup by itself.
void tileBarrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

// Edges b and c.
void tailBarrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared | gl_StorageSemanticsImage, kEdge);
}

// Whether this workgroup is the last of its layer: true in all its invocations or in none. One invocation counts: the one that stored the
// tile's texel of level n. Edges a and b.
bool isLastWorkgroup(bool counts) {
  uint layer = gl_WorkGroupID.z;
  const int kPlaces = gl_StorageSemanticsBuffer | gl_StorageSemanticsImage;
  if (counts) {
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
