#include "golden/store/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <memory>

namespace lanewise::golden {
namespace {

Hash128 fromXxh(XXH128_hash_t h) {
  return {h.high64, h.low64};
}

struct Free {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};
using State = std::unique_ptr<XXH3_state_t, Free>;

// Adjacent pieces.
class Stream {
 public:
  Stream() : state_(XXH3_createState()) { XXH3_128bits_reset(state_.get()); }
  void add(const void* bytes, std::size_t count) { XXH3_128bits_update(state_.get(), bytes, count); }
  Hash128 hash() const { return fromXxh(XXH3_128bits_digest(state_.get())); }

 private:
  State state_;
};

}  // namespace

std::string hashText(Hash128 hash) {
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

std::optional<Hash128> hashFromText(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  std::uint64_t halves[2] = {0, 0};
  for (std::size_t i = 0; i < 32; ++i) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    halves[i / 16] = halves[i / 16] * 16 + digit;
  }
  return Hash128{halves[0], halves[1]};
}

Hash128 hashBytes(std::span<const std::byte> bytes) {
  return fromXxh(XXH3_128bits(bytes.data(), bytes.size()));
}

Hash128 hashOutputs(std::span<const Image> outputs) {
  Stream stream;
  for (const Image& image : outputs) stream.add(image.bytes.data(), image.bytes.size());
  return stream.hash();
}

Hash128 foldHashes(std::span<const std::pair<std::string, Hash128>> cases) {
  Stream stream;
  for (const auto& [name, hash] : cases) {
    const std::string line = fmt::format("{} {}\n", hashText(hash), name);
    stream.add(line.data(), line.size());
  }
  return stream.hash();
}

}  // namespace lanewise::golden
