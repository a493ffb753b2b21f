// The oracle of checksum/sum: the exact sum of a picture's bytes, as an image of one u64 (8 bytes, little-endian).
#pragma once

#include <cstdint>

#include "golden/image/image.h"

namespace lanewise::golden {

inline constexpr int kChecksumVersion = 1;

// The sum of all bytes of all levels. It cannot wrap below 2^56 bytes.
std::uint64_t byteSum(const Image& picture);
// The same, as the kernel's output: 1x1, one channel, kU64.
Image byteSumImage(const Image& picture);

}  // namespace lanewise::golden
