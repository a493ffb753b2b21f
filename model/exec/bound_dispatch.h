// A dispatch as the engine reads it: its program, and what is bound to it.
#pragma once

#include <memory>
#include <vector>

#include "model/state/batch.h"

namespace lanewise {

struct BoundDispatch {
  std::shared_ptr<const Program> program;
  const Dispatch* dispatch = nullptr;
  std::vector<DescriptorRange> descriptors;
  std::vector<BufferView> buffers;
  std::vector<ImageView> images;
  std::vector<std::vector<ImageLevel>> chains;  // the levels of each view
  std::size_t resources = 0;                    // of the job
  std::vector<SamplerState> samplers;
  std::vector<std::byte> push;
  std::uint64_t workgroups = 0;
  // The resource of each descriptor; views are made from these.
  std::vector<const Binding*> bindings;
};

// An image as the engine keeps it while it runs. Copies of a run share the bytes where none of them can store to the image any more.
struct PaddedImage {
  std::shared_ptr<AlignedBytes> bytes;
  std::vector<ImageLevel> levels;
};

}  // namespace lanewise
