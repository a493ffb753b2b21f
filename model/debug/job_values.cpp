#include "model/debug/job_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/debug/advice.h"
#include "model/exec/execution.h"
#include "model/memory/texel_access.h"
#include "model/state/level_bytes.h"

namespace lanewise::debug {
namespace {

Error wrongPlace(std::string what, std::string hint) {
  return {Outcome::kBadInput, std::move(what), "", std::move(hint)};
}

// Where the dispatch of the environment has bytes of a resource, in one row; nullptr if it does not.
const std::byte* boundPlace(const Environment& env, const Region& bytes) {
  for (std::size_t r = 0; env.descriptors && r < env.program->resources.size(); ++r)
    for (std::uint32_t i = env.descriptors[r].first; i < env.descriptors[r].first + env.descriptors[r].count; ++i) {
      const ImageView& image = env.images[i];
      for (std::uint32_t l = 0; image.data && image.resource == bytes.resource && l < image.levels; ++l)
        if (const std::byte* found =
                bytesInLevel(image.chain ? image.chain[l] : image, image.format->texelBytes, bytes.begin, bytes.end - bytes.begin))
          return found;
    }
  return nullptr;
}

// That a texel is named by: those of its dimensions, and a layer.
std::size_t coordinatesOf(const ImageData& image) {
  return image.dimensions + (image.dimensions < 3 && image.layers > 1 ? 1u : 0u);
}

}  // namespace

const ImageView* viewOf(const LaneValue& image, const LaneState& lane) {
  const ir::ResourceDeclaration* r = image.resource();
  const bool isOne = r && image.home() == LaneValue::Home::kOpaque && image.count() == 0;
  if (!isOne || r->kind == ir::ResourceDeclaration::Kind::kSampler) return nullptr;
  const Environment& env = *lane.env;
  const DescriptorRange range = env.descriptors[static_cast<std::size_t>(r - env.program->resources.data())];
  const ImageView* view = image.element() < range.count ? &env.images[range.first + image.element()] : nullptr;
  return view && view->format && view->data ? view : nullptr;
}

Expected<Region> regionIn(const Resource& r, std::uint32_t index, std::span<const std::uint64_t> at, std::uint32_t level) {
  Region out;
  out.resource = index;
  out.name = r.name;
  const auto* image = std::get_if<ImageData>(&r.data);
  if (!image) {
    if (at.size() != 1 || level != 0 || at[0] >= r.bytes().size())
      return wrongPlace(fmt::format("'{}' is a buffer of {} bytes", r.name, r.bytes().size()), "name one byte of it");
    out.begin = at[0] / 4 * 4;
    out.end = std::min<std::uint64_t>(out.begin + 4, r.bytes().size());
    return out;
  }
  if (level >= image->levels) return wrongPlace(fmt::format("'{}' has {} levels", r.name, image->levels), "");
  const Extent3 e = image->levelExtent(level);
  const std::uint64_t slices = image->dimensions == 3 ? e.z : std::uint64_t{image->layers} * image->samples;
  const bool isRow = image->dimensions == 1 && at.size() == 2;  // the layer comes second
  const std::uint64_t x = at.empty() ? 0 : at[0], y = at.size() > 1 && !isRow ? at[1] : 0;
  const std::uint64_t z = isRow ? at[1] : at.size() > 2 ? at[2] : 0;
  if (at.empty() || at.size() > 3 || x >= e.x || y >= e.y || z >= slices)
    return wrongPlace(fmt::format("level {} of '{}' has {}x{}x{} texels", level, r.name, e.x, e.y, slices), "");
  const std::uint64_t bytes = formatInfo(image->format)->texelBytes;
  out.place = Place::kImage;
  out.begin = image->levelOffset(level) + ((z * e.y + y) * e.x + x) * bytes;
  out.end = out.begin + bytes;
  return out;
}

Tuple texelTuple(const FormatInfo& format, const TexelRules& rules, const std::byte* bytes) {
  std::uint64_t parts[4];
  decodeTexel(format, rules, bytes, parts);
  const bool isSigned = format.numeric == NumericFormat::kSint, isInteger = isSigned || format.numeric == NumericFormat::kUint;
  const bool wide = isInteger && format.componentBits == 64;
  Tuple t{wide ? Scalar::kI64 : isInteger ? Scalar::kI32 : Scalar::kF32, isSigned || !isInteger, {}};
  for (const std::uint64_t bits : parts)
    t.parts.push_back({ScalarValue::State::kKnown, t.type, t.isSigned, wide ? bits : bits & 0xffffffff});
  return t;
}

Tuple ownTexel(const FormatInfo& format, const TexelRules& rules, const std::byte* bytes) {
  Tuple t = texelTuple(format, rules, bytes);
  t.parts.resize(std::clamp<std::size_t>(format.components, 1, t.parts.size()));
  return t;
}

std::optional<std::uint32_t> resourceOfJob(const Scope& scope, std::string_view name) {
  const std::size_t index = scope.job ? resourceNamed(scope.job->resources, name) : 0;
  return scope.job && index < scope.job->resources.size() ? std::optional(static_cast<std::uint32_t>(index)) : std::nullopt;
}

Error wholeImage(const Scope& scope, std::uint32_t resource) {
  const auto& image = std::get<ImageData>(scope.job->resources[resource].data);
  const std::string& name = scope.job->resources[resource].name;
  const Extent3 e = image.levelExtent(0);
  return wrongPlace(fmt::format("'{}' is an image of {}x{} texels", name, e.x, e.y),
                    fmt::format("name one of them: {}[{}]", name, fmt::join(std::vector<int>(coordinatesOf(image), 0), ", ")));
}

Expected<Value> texelOfJob(const Scope& scope, std::uint32_t resource, std::span<const std::int64_t> at) {
  const Resource& r = scope.job->resources[resource];
  const auto& image = std::get<ImageData>(r.data);
  if (image.samples > 1) return wrongPlace("texels of several samples are not shown yet", "");
  if (at.size() != coordinatesOf(image))
    return wrongPlace(
        fmt::format("a texel of '{}' has {} coordinate{}", r.name, coordinatesOf(image), coordinatesOf(image) == 1 ? "" : "s"), "");
  std::vector<std::uint64_t> coordinates;
  for (const std::int64_t i : at) coordinates.push_back(static_cast<std::uint64_t>(i));  // below 0: far outside
  Expected<Region> region = regionIn(r, resource, coordinates, 0);
  if (!region) return region.error();
  const FormatInfo& format = *formatInfo(image.format);
  std::vector<std::byte> bytes;
  if (const std::byte* bound = boundPlace(*scope.lane.env, *region))
    bytes.assign(bound, bound + format.texelBytes);
  else if (scope.run)
    bytes = scope.run->bytesOf(resource, region->begin, region->end);
  if (bytes.empty()) return wrongPlace(fmt::format("this dispatch has nothing to do with '{}'", r.name), "a condition asks what is bound");
  Value v;
  v.tuple = ownTexel(format, scope.lane.env->profile->texel, bytes.data());
  v.texel = &format;
  const WrittenBytes* written = scope.lane.written;
  if (isPoison(bytes) && written && !written->isWritten(Place::kImage, resource, scope.lane.env->group, region->begin, region->end))
    for (ScalarValue& part : v.tuple->parts) part.state = ScalarValue::State::kNotWritten;
  v.region = std::move(*region);
  return v;
}

Expected<LaneValue> variableOfJob(const Scope& scope, std::uint32_t resource) {
  const std::string& name = scope.job->resources[resource].name;
  const SourceVariables& source = scope.places->source();
  std::vector<std::pair<std::string, LaneValue>> found;
  const auto take = [&](const std::string& text, const LaneValue& value) {
    const ImageView* view = viewOf(value, scope.lane);
    const bool isIt = view ? view->resource == resource : value.resourceIndex() == resource;
    const bool isKnown = std::ranges::any_of(
        found, [&](const auto& f) { return f.second.resource() == value.resource() && f.second.element() == value.element(); });
    if (isIt && !isKnown) found.emplace_back(text, value);
  };
  for (const SourceVariable& v : source.globals()) {
    const LaneValue value = source.read(v, scope.lane);
    if (!value.resource()) continue;
    const bool isArray = value.type() && (value.type()->kind == Type::Kind::kArray || value.type()->kind == Type::Kind::kRuntimeArray);
    for (std::uint64_t i = 0; isArray && i < value.count(); ++i) take(fmt::format("{}[{}]", source.of(v).name, i), value.part(i));
    if (!isArray) take(source.of(v).name, value);
  }
  if (found.empty()) return wrongPlace(fmt::format("the buffer '{}' is bound to no variable here", name), textOf(Advice::kBytes));
  if (found.size() == 1) return found[0].second;
  std::string names;
  for (const auto& [text, value] : found)
    names += fmt::format("{}{}", names.empty() ? "" : ", ",
                         text.empty() ? fmt::format("{}:{}", value.resource()->set, value.resource()->binding) : text);
  return wrongPlace(fmt::format("the buffer '{}' is bound to several variables here", name), "one of " + names);
}

}  // namespace lanewise::debug
