// A list of values that allocates no memory while it is short: nearly every SPIR-V value has at most four scalars.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>

#include "model/ir/ir.h"

namespace lanewise::ir {

class Values {
 public:
  Values() = default;
  Values(std::initializer_list<Value> list) { append({list.begin(), list.size()}); }
  explicit Values(std::span<const Value> list) { append(list); }
  Values(const Values& other) { append(other); }
  Values(Values&& other) noexcept { take(other); }
  Values& operator=(const Values& other) {
    if (this != &other) *this = Values(other);
    return *this;
  }
  Values& operator=(Values&& other) noexcept {
    if (this == &other) return *this;
    if (data_ != own_) delete[] data_;
    take(other);
    return *this;
  }
  ~Values() {
    if (data_ != own_) delete[] data_;
  }

  Value* begin() { return data_; }
  Value* end() { return data_ + size_; }
  const Value* begin() const { return data_; }
  const Value* end() const { return data_ + size_; }
  Value* data() { return data_; }
  const Value* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Value& operator[](std::size_t i) { return data_[i]; }
  Value operator[](std::size_t i) const { return data_[i]; }

  void push_back(Value v) {
    if (size_ == capacity_) reserve(2 * size_);
    data_[size_++] = v;
  }
  // The source must not be a part of this list.
  void append(std::span<const Value> list) {
    if (size_ + list.size() > capacity_) reserve(std::max(size_ + list.size(), 2 * size_));
    std::ranges::copy(list, end());
    size_ += list.size();
  }

 private:
  static constexpr std::size_t kOwn = 4;

  void reserve(std::size_t capacity) {
    Value* const moved = new Value[capacity];
    std::ranges::copy(*this, moved);
    if (data_ != own_) delete[] data_;
    data_ = moved;
    capacity_ = capacity;
  }
  // What this had is lost. The other is empty then.
  void take(Values& other) noexcept {
    const bool owned = other.data_ == other.own_;
    if (owned) std::copy_n(other.own_, kOwn, own_);
    data_ = owned ? own_ : other.data_;
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, kOwn);
    other.data_ = other.own_;
  }

  Value own_[kOwn] = {};
  Value* data_ = own_;
  std::size_t size_ = 0, capacity_ = kOwn;
};

}  // namespace lanewise::ir
