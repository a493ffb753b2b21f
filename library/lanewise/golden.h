// Comparing results with expected ones, and picture files. Several threads may call these at once.
#ifndef LANEWISE_GOLDEN_H
#define LANEWISE_GOLDEN_H

#include <string>

#include "run.h"

namespace lw {

// How a value of a resource is read: the components of an image's format, or what the caller says of a buffer.
enum class Scalar { u8, i8, u16, i16, u32, i32, u64, i64, f16, f32, f64 };

struct Comparison {
  std::uint64_t values = 0;     // compared
  std::uint64_t differing = 0;  // beyond the tolerance
  double greatest = 0;          // difference
  // The first beyond the tolerance.
  std::uint64_t byte = 0;
  std::string place, expected, got;  // "texel 1,0 channel g", "85", "170"
  std::string text{};                // all of this in one line; empty: nothing differs
};

// Whether two resources agree within a tolerance, which is 0 for equality. A NaN agrees with a NaN. Bad input: other sizes or formats, or
// a format of packed components.
LANEWISE_EXPORT Expected<Comparison> compare(const Resource& expected, const Resource& got, double tolerance);
LANEWISE_EXPORT Expected<Comparison> compare(const Resource& expected, const Resource& got, double tolerance, Scalar scalar);

// The ruling on an output: what differs first, and who stored it. Empty: nothing differs.
LANEWISE_EXPORT std::string ruling(const Run& run, const Resource& expected, double tolerance, const Scalar* scalar = nullptr);

// A picture in the form of an image format, and an image as a file: .png, .tif or .exr by its name. They need OpenImageIO. Errors:
// input/output error if the file cannot be read or written; bad input for a format that does not exist or cannot hold the picture.
LANEWISE_EXPORT Expected<Resource> readPicture(const std::string& file, const std::string& name, const std::string& format);
LANEWISE_EXPORT std::optional<Error> writePicture(const std::string& file, const Resource& image);

}  // namespace lw

#endif
