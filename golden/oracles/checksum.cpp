#include "golden/oracles/checksum.h"

namespace lanewise::golden {

std::uint64_t byteSum(const Image& picture) {
  std::uint64_t sum = 0;
  for (std::byte b : picture.bytes) sum += std::to_integer<std::uint64_t>(b);
  return sum;
}

Image byteSumImage(const Image& picture) {
  Image image = makeImage({1, 1}, 1, Component::kU64);
  image.set<std::uint64_t>(0, 0, 0, 0, byteSum(picture));
  return image;
}

}  // namespace lanewise::golden
