// The bytes of a resource as the image type that comparisons take.
#pragma once

#include "golden/image/image.h"
#include "tools/run/make_job.h"
#include "tools/run/typed_values.h"

namespace lanewise {

// How the bytes of a format or a type are read: components that are compared, and that generated inputs fill. Formats of mixed widths are
// one number a texel; signed numbers are their bits.
struct Texels {
  std::uint32_t channels = 1;
  golden::Component component = golden::Component::kU8;
};
Texels texelsOf(const FormatInfo& format);
Texels texelsOf(ValueType type);

// The type of a buffer's values, if all its scalars have the same one and are adjacent.
std::optional<ValueType> uniformType(const Type& block, std::size_t bytes);

// Whether such values are compared by their bits alone, which have another order than the numbers: signed ones, doubles, packed texels.
// No tolerance but a root mean square of floats means anything for them.
bool isComparedByBits(const FormatInfo& format);
bool isComparedByBits(ValueType type);
bool isComparedByBits(const RunOutput& output, const Resource& resource);

// An output of a run: an image with its levels where it has one layer, slice and sample, else one row of components. A buffer has the one
// type of its values, or bytes.
golden::Image typedImage(const RunOutput& output, const Resource& resource);

}  // namespace lanewise
