#include "tools/run/interface_difference.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise {
namespace {

bool sameImage(const InterfaceBinding& a, const InterfaceBinding& b) {
  if (!a.isImage() || a.type == nullptr || b.type == nullptr) return true;
  const bool unknown = a.type->imageFormat == 0 || b.type->imageFormat == 0;  // a view of any format fits
  const bool element = a.type->element == nullptr || b.type->element == nullptr ||
                       (a.type->element->scalar == b.type->element->scalar && a.type->element->isSigned == b.type->element->isSigned);
  return a.type->dim == b.type->dim && a.type->arrayed == b.type->arrayed && a.type->multisampled == b.type->multisampled && element &&
         (unknown || a.type->imageFormat == b.type->imageFormat);
}

}  // namespace

std::string interfaceDifference(const InterfaceEntry& other, const InterfaceEntry& own) {
  for (const InterfaceBinding& b : other.bindings) {
    const auto found =
        std::ranges::find_if(own.bindings, [&](const InterfaceBinding& o) { return o.set == b.set && o.binding == b.binding; });
    if (found == own.bindings.end())
      return fmt::format("binding {} is a {}, and the kernel has none there", b.text(), descriptorKindName(b.kind));
    if (found->kind != b.kind)
      return fmt::format("binding {} is a {}, the kernel's a {}", b.text(), descriptorKindName(b.kind), descriptorKindName(found->kind));
    if (!sameImage(b, *found)) return fmt::format("binding {} is an image of another type than the kernel's", b.text());
    if (b.count > std::max(1u, found->count) && found->count != 0)
      return fmt::format("binding {} has {} descriptors, the kernel's {}", b.text(), b.count, found->count);
  }
  if (other.pushBytes > own.pushBytes)
    return fmt::format("it reads {} bytes of push constants, the kernel {}", other.pushBytes, own.pushBytes);
  return {};
}

}  // namespace lanewise
