// Golden hashes: XXH3-128 over the tightly packed rows of each output, level after level, little-endian (docs/contracts.md, 13).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "golden/image/image.h"

namespace lanewise::golden {

struct Hash128 {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

// 32 lower-case hexadecimal digits, high half first; and back.
std::string hashText(Hash128 hash);
std::optional<Hash128> hashFromText(std::string_view text);

Hash128 hashBytes(std::span<const std::byte> bytes);
// The hash of one case's outputs, in the order of its description, as if their bytes were contiguous.
Hash128 hashOutputs(std::span<const Image> outputs);

// One hash for many cases: XXH3-128 of the lines "HASH NAME\n", in the order given.
Hash128 foldHashes(std::span<const std::pair<std::string, Hash128>> cases);

}  // namespace lanewise::golden
