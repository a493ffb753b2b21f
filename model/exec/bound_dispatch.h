// A dispatch as the engine reads it: its program, and what is bound to it.
#pragma once

#include <cstring>
#include <memory>
#include <new>
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

// Bytes at a 64-byte boundary, whatever they are at first: those of an image are written once, as there may be much of them.
class ImageBytes {
 public:
  explicit ImageBytes(std::size_t size) : bytes_(new (kAligned) std::byte[size]), size_(size) {}
  ImageBytes(const ImageBytes& other) : ImageBytes(other.size_) { std::memcpy(data(), other.data(), size_); }
  ImageBytes& operator=(const ImageBytes&) = delete;
  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::align_val_t kAligned{64};
  struct Delete {
    void operator()(std::byte* bytes) const { ::operator delete[](bytes, kAligned); }
  };
  std::unique_ptr<std::byte[], Delete> bytes_;
  std::size_t size_;
};

// An image as the engine keeps it while it runs. Copies of a run share the bytes where none of them can store to the image any more.
struct PaddedImage {
  std::shared_ptr<ImageBytes> bytes;
  std::vector<ImageLevel> levels;
};

}  // namespace lanewise
