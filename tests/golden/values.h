// The texels of a level as typed values.
#pragma once

#include <cstring>
#include <vector>

#include "golden/image/image.h"

namespace lanewise::golden {

template <class T>
std::vector<T> valuesOf(const Image& image, std::uint32_t level = 0) {
  std::vector<T> values(image.levelBytes(level) / sizeof(T));
  std::memcpy(values.data(), image.bytes.data() + image.levelOffset(level), values.size() * sizeof(T));
  return values;
}

}  // namespace lanewise::golden
