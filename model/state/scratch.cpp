#include "model/state/scratch.h"

#include <algorithm>
#include <utility>

namespace lanewise {

Scratch::Block::Block(Scratch& from, std::size_t size) : from_(&from), size_(size), capacity_(size) {
  {
    const std::lock_guard lock(from.mutex_);
    const auto fits = std::ranges::find_if(from.free_, [size](const Free& f) { return f.capacity >= size && f.capacity / 2 <= size; });
    if (fits != from.free_.end()) {
      data_ = std::move(fits->data);
      capacity_ = fits->capacity;
      from.kept_ -= capacity_;
      from.free_.erase(fits);
    }
  }
  if (!data_) data_.reset(new std::byte[size]);
}

Scratch::Block::~Block() {
  if (!data_) return;
  const std::lock_guard lock(from_->mutex_);
  if (from_->kept_ + capacity_ > kMost) return;
  from_->kept_ += capacity_;
  from_->free_.push_back({std::move(data_), capacity_});
}

void Scratch::Block::swap(Block& other) noexcept {
  std::swap(from_, other.from_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
}

}  // namespace lanewise
