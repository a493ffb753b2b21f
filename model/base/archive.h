// Writes and reads values as bytes, with one description for both directions. A type's `fields(archive, value)` names its members once, so
// reading always matches writing.
//
// The Reader promises: no read past the end, and no allocation larger than the bytes that are left (or the budget for filled blocks). After
// the first error later reads do nothing, and failed() is true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

// In its own namespace, so that `fields` is found by its archive.
namespace lanewise::wire {

template <class T>
concept PlainValue = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  static constexpr bool kReading = false;
  std::vector<std::byte> bytes;

  template <PlainValue T>
  void operator()(const T& value) {
    raw(&value, sizeof value);
  }
  void operator()(const std::string& text) {
    size(text.size());
    raw(text.data(), text.size());
  }
  // Equal bytes are written as one: outputs are mostly poison.
  void operator()(const std::vector<std::byte>& block) {
    size(block.size());
    const bool alike = block.size() > 1 && std::memcmp(block.data(), block.data() + 1, block.size() - 1) == 0;
    (*this)(alike);
    raw(block.data(), alike ? 1 : block.size());
  }
  void operator()(const std::vector<std::uint32_t>& words) {
    size(words.size());
    raw(words.data(), words.size() * sizeof(std::uint32_t));
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    size(list.size());
    for (const T& item : list) fields(*this, item);
  }
  template <class T>
  void operator()(const std::optional<T>& item) {
    (*this)(item.has_value());
    if (item) fields(*this, *item);
  }
  void size(std::size_t count) { (*this)(std::uint64_t{count}); }

 private:
  static constexpr std::size_t kLarge = 4096;
  void raw(const void* data, std::size_t count) {
    const auto* first = static_cast<const std::byte*>(data);
    if (count > kLarge) bytes.reserve(bytes.size() + count + kLarge);  // avoids doubling
    bytes.insert(bytes.end(), first, first + count);
  }
};

class Reader {
 public:
  static constexpr bool kReading = true;
  // `budget`: the bytes that all blocks may take together.
  Reader(std::span<const std::byte> bytes, std::uint64_t budget) : rest_(bytes), budget_(budget) {}

  bool failed() const { return failed_; }
  // Whether everything was read without an error.
  bool complete() const { return !failed_ && rest_.empty(); }
  void fail() { failed_ = true; }

  template <PlainValue T>
  void operator()(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      raw(&byte, 1);
      if (byte > 1) fail();
      value = byte == 1;
    } else {
      raw(&value, sizeof value);
    }
  }
  void operator()(std::string& text) {
    text.resize(size(1));
    raw(text.data(), text.size());
  }
  void operator()(std::vector<std::byte>& block) {
    std::uint64_t count = 0;
    bool alike = false;
    (*this)(count);
    (*this)(alike);
    if (failed_ || count > budget_ || (!alike && count > rest_.size()) || (alike && count < 2)) return fail();
    budget_ -= count;
    if (!alike) {
      block.assign(rest_.begin(), rest_.begin() + std::ptrdiff_t(count));
      rest_ = rest_.subspan(std::size_t(count));
    } else {
      std::byte value{};
      raw(&value, 1);
      if (!failed_) block.assign(std::size_t(count), value);
    }
  }
  void operator()(std::vector<std::uint32_t>& words) {
    words.resize(size(sizeof(std::uint32_t)));
    raw(words.data(), words.size() * sizeof(std::uint32_t));
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    const std::size_t count = size(1);  // each item takes at least one byte
    for (std::size_t i = 0; i < count && !failed_; ++i) fields(*this, list.emplace_back());
  }
  template <class T>
  void operator()(std::optional<T>& item) {
    bool there = false;
    (*this)(there);
    if (there && !failed_) fields(*this, item.emplace());
  }
  // A count of items that take at least `itemBytes` each.
  std::size_t size(std::size_t itemBytes) {
    std::uint64_t count = 0;
    (*this)(count);
    if (failed_ || count > rest_.size() / itemBytes) {
      fail();
      return 0;
    }
    return std::size_t(count);
  }

 private:
  void raw(void* data, std::size_t count) {
    if (failed_ || count > rest_.size()) return fail();
    if (count) std::memcpy(data, rest_.data(), count);
    rest_ = rest_.subspan(count);
  }

  std::span<const std::byte> rest_;
  std::uint64_t budget_;
  bool failed_ = false;
};

}  // namespace lanewise::wire
