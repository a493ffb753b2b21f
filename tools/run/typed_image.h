// The bytes of a resource as the image type that comparisons take.
#pragma once

#include <string_view>

#include "golden/image/image.h"
#include "tools/run/make_job.h"
#include "tools/run/typed_values.h"

namespace lanewise {

// How the bytes of a format or a type are read: components that are compared, and that generated inputs fill. Formats of mixed widths are
// one number a texel; normalised ones are their codes.
struct Texels {
  std::uint32_t channels = 1;
  golden::Component component = golden::Component::kU8;
};
Texels texelsOf(const FormatInfo& format);
Texels texelsOf(ValueType type);

// The type of a buffer's values, if all its scalars have the same one and are adjacent.
std::optional<ValueType> uniformType(const Type& block, std::size_t bytes);

// Formats of mixed widths, whose components share words: such texels are compared by their bits alone.
bool isPacked(const FormatInfo& format);
// Why no tolerance means anything for an output; empty where one does.
std::string_view whyExact(const RunOutput& output, const Resource& resource);

// An output of a run: an image with its levels where it has one layer, slice and sample, else one row of components. A buffer has the one
// type of its values, or bytes.
golden::Image typedImage(const RunOutput& output, const Resource& resource);

}  // namespace lanewise
