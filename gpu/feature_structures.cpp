#include "gpu/feature_structures.h"

#include <algorithm>
#include <string_view>

namespace lanewise {

void* Features::chain() {
  vulkan11.pNext = &vulkan12;
  vulkan12.pNext = &vulkan13;
  vulkan13.pNext = nullptr;
  void** tail = &vulkan13.pNext;
  forEachExtension([&](auto& structure, const char* extension) {
    const auto same = [&](const char* e) { return std::string_view(e) == extension; };
    if (std::ranges::none_of(extensions, same)) return;
    *tail = &structure;
    structure.pNext = nullptr;
    tail = &structure.pNext;
  });
  return &vulkan11;
}

}  // namespace lanewise
