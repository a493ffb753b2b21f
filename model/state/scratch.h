// Large blocks of memory that are used again: a fresh one costs more for its pages than for its bytes.
//
// Thread safety: everything may be called from several threads at once.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace lanewise {

class Scratch {
 public:
  static constexpr std::size_t kMost = std::size_t{256} << 20;  // bytes that are kept

  // Memory of a block until it is destroyed. Its bytes are what they happen to be. The Scratch must outlive it.
  class Block {
   public:
    Block() = default;
    Block(Scratch& from, std::size_t size);
    Block(Block&& other) noexcept { swap(other); }
    Block& operator=(Block&& other) noexcept {
      swap(other);
      return *this;
    }
    ~Block();
    std::span<std::byte> bytes() const { return {data_.get(), size_}; }

   private:
    void swap(Block& other) noexcept;
    Scratch* from_ = nullptr;
    std::unique_ptr<std::byte[]> data_;
    std::size_t size_ = 0, capacity_ = 0;
  };

 private:
  struct Free {
    std::unique_ptr<std::byte[]> data;
    std::size_t capacity = 0;
  };
  std::mutex mutex_;
  std::vector<Free> free_;
  std::size_t kept_ = 0;
};

}  // namespace lanewise
