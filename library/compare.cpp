// Comparison, rulings and picture files.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "golden/image/half.h"
#include "golden/pictures/picture_io.h"
#include "library/access.h"
#include "library/lanewise/golden.h"
#include "model/contract/format.h"
#include "tools/run/arguments.h"
#include "tools/run/pictures.h"

namespace lw {
namespace {

std::size_t bytesOf(Scalar scalar) {
  switch (scalar) {
    case Scalar::u8:
    case Scalar::i8:
      return 1;
    case Scalar::u16:
    case Scalar::i16:
    case Scalar::f16:
      return 2;
    case Scalar::u32:
    case Scalar::i32:
    case Scalar::f32:
      return 4;
    case Scalar::u64:
    case Scalar::i64:
    case Scalar::f64:
      return 8;
  }
  return 1;
}

template <class T>
T loaded(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// A value to compute with, and its text. Integers of 64 bits are exact in a long double of x86 and AArch64.
struct Number {
  long double value = 0;
  std::string text;
};

template <class T>
Number numberAs(const std::byte* at) {
  const T value = loaded<T>(at);
  return {static_cast<long double>(value), fmt::format("{}", value)};
}

Number numberAt(Scalar scalar, const std::byte* at) {
  switch (scalar) {
    case Scalar::u8:
      return numberAs<std::uint8_t>(at);
    case Scalar::i8:
      return numberAs<std::int8_t>(at);
    case Scalar::u16:
      return numberAs<std::uint16_t>(at);
    case Scalar::i16:
      return numberAs<std::int16_t>(at);
    case Scalar::u32:
      return numberAs<std::uint32_t>(at);
    case Scalar::i32:
      return numberAs<std::int32_t>(at);
    case Scalar::u64:
      return numberAs<std::uint64_t>(at);
    case Scalar::i64:
      return numberAs<std::int64_t>(at);
    case Scalar::f16: {
      const double value = lanewise::golden::halfToDouble(loaded<std::uint16_t>(at));
      return {static_cast<long double>(value), fmt::format("{}", value)};
    }
    case Scalar::f32:
      return numberAs<float>(at);
    case Scalar::f64:
      return numberAs<double>(at);
  }
  return {};
}

Error badComparison(std::string what, std::string hint = "") {
  return {Outcome::badInput, std::move(what), "compare", std::move(hint)};
}

// How the components of a format are compared: a normalised one by its code.
Expected<Scalar> scalarOfFormat(const std::string& name) {
  const std::optional<lanewise::Format> format = lanewise::parseFormat(name);
  const lanewise::FormatInfo* info = format ? lanewise::formatInfo(*format) : nullptr;
  if (info == nullptr) return {{}, badComparison("there is no format '" + name + "'")};
  if (info->componentBits == 0)
    return {{}, badComparison("components of " + name + " share words", "name the type of its values: Scalar::u32")};
  using N = lanewise::NumericFormat;
  const bool isFloat = info->numeric == N::kSfloat, isSigned = info->numeric == N::kSint || info->numeric == N::kSnorm;
  switch (info->componentBits) {
    case 8:
      return {isSigned ? Scalar::i8 : Scalar::u8, {}};
    case 16:
      return {isFloat ? Scalar::f16 : isSigned ? Scalar::i16 : Scalar::u16, {}};
    case 32:
      return {isFloat ? Scalar::f32 : isSigned ? Scalar::i32 : Scalar::u32, {}};
    default:
      return {isFloat ? Scalar::f64 : isSigned ? Scalar::i64 : Scalar::u64, {}};
  }
}

std::string channelOf(const Resource& image, std::uint64_t byte, std::size_t scalarBytes) {
  const std::optional<lanewise::Format> format = lanewise::parseFormat(image.format);
  const lanewise::FormatInfo* info = format ? lanewise::formatInfo(*format) : nullptr;
  if (info == nullptr || info->components < 2) return "";
  constexpr const char* kNames[] = {"r", "g", "b", "a"};
  return fmt::format(" channel {}", kNames[(byte % info->texelBytes) / scalarBytes % 4]);
}

}  // namespace

Expected<Comparison> compare(const Resource& expected, const Resource& got, double tolerance, Scalar scalar) {
  return guardedValue<Comparison>([&]() -> Expected<Comparison> {
    const std::size_t size = bytesOf(scalar);
    if (expected.bytes.size() != got.bytes.size())
      return {{}, badComparison(fmt::format("{} bytes are expected, but '{}' has {}", expected.bytes.size(), got.name, got.bytes.size()))};
    if (got.bytes.size() % size != 0) return {{}, badComparison(fmt::format("{} bytes are no whole number of values", got.bytes.size()))};
    Comparison made;
    made.values = got.bytes.size() / size;
    long double greatest = 0;
    for (std::uint64_t at = 0; at < got.bytes.size(); at += size) {
      if (std::memcmp(expected.bytes.data() + at, got.bytes.data() + at, size) == 0) continue;
      const Number e = numberAt(scalar, expected.bytes.data() + at), g = numberAt(scalar, got.bytes.data() + at);
      if (std::isnan(e.value) && std::isnan(g.value)) continue;
      const long double difference = e.value == g.value ? 0 : std::fabs(e.value - g.value);
      if (!(difference <= greatest)) greatest = difference;
      if (difference <= static_cast<long double>(tolerance)) continue;
      if (made.differing++ != 0) continue;
      made.byte = at;
      made.place = placeOf(got, at) + channelOf(got, at, size);
      made.expected = e.text;
      made.got = g.text;
    }
    made.greatest = static_cast<double>(greatest);
    if (made.differing != 0)
      made.text = fmt::format("{} of '{}': {} expected, {} got; {} of {} values differ, by at most {}", made.place, got.name, made.expected,
                              made.got, made.differing, made.values, made.greatest);
    return {made, {}};
  });
}

Expected<Comparison> compare(const Resource& expected, const Resource& got, double tolerance) {
  if (got.format.empty()) return compare(expected, got, tolerance, Scalar::u8);
  if (!expected.format.empty() && lanewise::parseFormat(expected.format) != lanewise::parseFormat(got.format))
    return {{}, badComparison("the expected image is " + expected.format + ", and '" + got.name + "' is " + got.format)};
  const Expected<Scalar> scalar = scalarOfFormat(got.format);
  if (!scalar) return {{}, scalar.error};
  return compare(expected, got, tolerance, *scalar);
}

std::string ruling(const Run& run, const Resource& expected, double tolerance, const Scalar* scalar) {
  if (run.error) return "the run on " + run.device + " failed: " + run.error->text();
  const Resource* got = run.output(expected.name);
  if (got == nullptr) return expected.name.empty() ? "the job has no output" : "there is no output '" + expected.name + "'";
  const Expected<Comparison> compared =
      scalar != nullptr ? compare(expected, *got, tolerance, *scalar) : compare(expected, *got, tolerance);
  if (!compared) return compared.error->text();
  if (compared->text.empty()) return "";
  std::string text = compared->text;
  const Expected<Stored> who = whoStored(run, got->name, compared->byte);
  // On a device the model's run of the same job says whose store it is.
  text += "\n  " + (who ? who->text() : "who stored it is unknown: " + who.error->text());
  for (const Finding& one : run.findings) text += "\n  " + one.text;
  return text;
}

Expected<Resource> readPicture(const std::string& file, const std::string& name, const std::string& format) {
  return guardedValue<Resource>([&]() -> Expected<Resource> {
    const std::optional<lanewise::Format> wanted = lanewise::parseFormat(format);
    if (!wanted) return {{}, Error{Outcome::badInput, "there is no format '" + format + "'", "readPicture", "such as rgba8ui or r32f"}};
    const auto picture = lanewise::golden::readPicture(file);
    if (!picture) return {{}, errorOf(picture.error())};
    const lanewise::golden::Image& stored = picture->stored;
    lanewise::Resource made = lanewise::undefinedImage(name, *wanted, {stored.extent.width, stored.extent.height, 1});
    std::vector<std::string> notes;
    if (const lanewise::Status bad = lanewise::pictureToImage(stored, std::get<lanewise::ImageData>(made.data), notes))
      return {{}, errorOf(*bad)};
    Resource resource;
    resource.name = name;
    resource.format = format;
    resource.extent = {stored.extent.width, stored.extent.height, 1};
    resource.bytes = std::move(made.bytes());
    return {std::move(resource), {}};
  });
}

std::optional<Error> writePicture(const std::string& file, const Resource& image) {
  const auto failed = [](const lanewise::Error& error) { return Expected<bool>{false, errorOf(error)}; };
  return guardedValue<bool>([&]() -> Expected<bool> {
           const auto inside = resourceInside(image);
           if (!inside) return failed(inside.error());
           const auto* data = std::get_if<lanewise::ImageData>(&inside->data);
           if (data == nullptr) return {false, Error{Outcome::badInput, "a buffer is no picture", "resource '" + image.name + "'", ""}};
           const auto picture = lanewise::imageToPicture(*data, file.ends_with(".exr"));
           if (!picture) return failed(picture.error());
           if (const lanewise::Status bad = lanewise::golden::writeImage(file, *picture)) return failed(*bad);
           return {true, {}};
         })
      .error;
}

}  // namespace lw
