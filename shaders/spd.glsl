// What every single-pass pyramid shares: its push constants and counters, and how the last workgroup to finish is found.
//
// A workgroup reduces its tile of 2^n texels per side by n levels. A counter in device memory shows which workgroup is last. The last one
// then takes level n as its base, tile after tile, and after that level 2n (spd_main.glsl). Accesses of different invocations are ordered
// by these edges and no others (Vulkan's memory model; the pictures are not coherent):
//
// a  the one texel of level n from a workgroup's tile -> the last workgroup. The invocation that stored it increments the counter. That
//    atomic releases at device scope, with images in its semantics. The last workgroup's memory barrier acquires, with buffers (the
//    counter) and images. Nobody waits for the texels of the levels between, because the tail does not read them. A workgroup that is not
//    the last acquires nothing
// b  the last workgroup's counting invocation -> its other invocations: tailBarrier. `last` itself is passed by tileBarrier
// c  between the tail's passes: tailBarrier makes the texels that one pass wrote visible to the next
// d  inside a tile: tileBarrier, for workgroup memory. It orders those who wrote a level before those who read it, and where the memory is
//    used again, the readers before the next writers
//
// The including file defines the number of pictures (kPictures). Once functions are inlined, each access has a constant index of its
// picture: where the index may be any, some drivers generate code for all pictures.
layout(push_constant) uniform Push {
  uvec2 size;    // of level 0
  uint levels;   // their number, with level 0
  uint groups;   // workgroups per layer
  uvec2 origin;  // the first workgroup's tile
  uint reduction;
} push;

layout(set = 0, binding = 2) restrict buffer Counters { uint finished[]; } counters;  // one per layer; 0 before and after

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

// Whether this workgroup is the last of its layer: true in all its invocations or in none. `counts` is true in one invocation, the one that
// stored the tile's texel of level n. Edges a and b.
bool isLastWorkgroup(bool counts) {
  uint layer = gl_WorkGroupID.z;
  const int kPlaces = gl_StorageSemanticsBuffer | gl_StorageSemanticsImage;
  if (counts) {
    uint before = atomicAdd(counters.finished[layer], 1u, gl_ScopeDevice, kPlaces, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
    last = before + 1u == push.groups;
    if (last) {
      memoryBarrier(gl_ScopeDevice, kPlaces, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
      // Nobody else increments it. The next dispatch reads 0: the barrier between dispatches orders that.
      atomicStore(counters.finished[layer], 0u, gl_ScopeDevice, 0, 0);
    }
  }
  tileBarrier();
  if (!last) return false;
  tailBarrier();
  return true;
}
