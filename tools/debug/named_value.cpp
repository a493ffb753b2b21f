#include "tools/debug/named_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "model/debug/job_values.h"
#include "tools/debug/resource_name.h"
#include "tools/debug/words.h"
#include "tools/run/arguments.h"
#include "tools/run/job_place.h"

namespace lanewise {

namespace {

constexpr std::string_view kLevel = "level";

struct PlaceInResource {
  std::vector<std::uint64_t> coordinates;
  std::uint32_t level = 0;
};

// "12,7", "0,0 level 2", "16".
Expected<PlaceInResource> parsePlace(const std::string& text) {
  PlaceInResource out;
  bool isLevel = false;
  for (std::size_t from = 0; (from = text.find_first_not_of(", \t", from)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(", \t", from), text.size());
    const std::string word = text.substr(std::exchange(from, end), end - from);
    if (word == kLevel && !isLevel) {
      isLevel = true;
      continue;
    }
    const Expected<std::uint64_t> n = countOf(word, 0);
    if (!n) return Error{Outcome::kBadInput, fmt::format("'{}' is no place in a resource", text), "", "X,Y, or X,Y level 2, or a byte"};
    if (isLevel)
      out.level = static_cast<std::uint32_t>(std::min<std::uint64_t>(*n, ~std::uint32_t{0}));
    else
      out.coordinates.push_back(*n);
  }
  return out;
}

Scalar scalarOf(ValueType type) {
  const bool isFloat = type.kind == ValueType::Kind::kFloat;
  switch (type.bytes) {
    case 1:
      return Scalar::kI8;
    case 2:
      return isFloat ? Scalar::kF16 : Scalar::kI16;
    case 8:
      return isFloat ? Scalar::kF64 : Scalar::kI64;
    default:
      return isFloat ? Scalar::kF32 : Scalar::kI32;
  }
}

// "rows", "0:1", "given.data"; not "source[1," or "x-", which begin an expression.
bool isNameOfResource(const std::string& text) {
  const bool isWhole = !text.empty() && (std::isalnum(static_cast<unsigned char>(text.back())) != 0 || text.back() == '_');
  return isWhole && text.find_first_of("[](),") == std::string::npos;
}

}  // namespace

Expected<std::uint32_t> resourceOf(debug::Session& s, const std::string& name) {
  const std::vector<Resource>& all = s.job().resources;
  if (const std::size_t index = resourceNamed(all, name); index < all.size()) return static_cast<std::uint32_t>(index);
  const Expected<Slot> slot = parseSlot("", name);
  const std::uint32_t d = slot && name.find('/') != std::string::npos ? slot->dispatch : s.dispatch();
  const std::uint32_t last = static_cast<std::uint32_t>(s.job().dispatches.size()) - 1;
  const std::vector<std::string> bound = boundTo(s.job(), d, s.placesOf(std::min(d, last)).program(), name);
  if (bound.size() > 1) return severalBound(name, bound, "");
  if (bound.size() == 1 && d <= last) return static_cast<std::uint32_t>(resourceNamed(all, bound[0]));
  std::string names;
  for (const Resource& r : all) names += (names.empty() ? "" : ", ") + r.name;
  return Error{Outcome::kBadInput, name.empty() ? "no resource is named" : fmt::format("there is no resource '{}'", name), "",
               "one of " + names};
}

namespace {

// The value that has this byte of a region, without what it is now: its type and its bytes, as the modules of the job have them; of an
// image the format. bytesText (text.h) shows bytes as it.
debug::Value shapeAt(debug::Session& s, debug::Region region, std::uint64_t byte) {
  debug::Value v;
  const Resource* r = region.place == Place::kBuffer || region.place == Place::kImage ? &s.job().resources[region.resource] : nullptr;
  const auto* image = r ? std::get_if<ImageData>(&r->data) : nullptr;
  const JobPlace place = r && !image ? placeOf(s.job(), *r, byte) : JobPlace{};
  v.texel = image ? formatInfo(image->format) : place.texel;
  const ValueType type = r && !image && !v.texel && place.isNamed ? place.type : ValueType{};
  const std::uint64_t size = v.texel ? v.texel->texelBytes : type.bytes;
  if (r && !image && place.isNamed && place.first + size <= r->bytes().size()) {
    region.begin = place.first;
    region.end = place.first + size;
  }
  v.region = std::move(region);
  if (v.texel) {
    const std::vector<std::byte> zeros(v.texel->texelBytes);
    v.tuple = debug::ownTexel(*v.texel, s.profile().texel, zeros.data());
    return v;
  }
  const bool isSigned = type.kind != ValueType::Kind::kUnsigned;
  v.tuple = debug::Tuple{scalarOf(type), isSigned, {{ScalarValue::State::kKnown, scalarOf(type), isSigned, 0}}};
  return v;
}

}  // namespace

Expected<debug::Value> valueIn(debug::Session& s, const std::string& name, const std::string& place) {
  const Expected<std::uint32_t> resource = resourceOf(s, name);
  if (!resource) return resource.error();
  const Expected<PlaceInResource> at = parsePlace(place);
  if (!at) return at.error();
  Expected<debug::Region> region = s.regionOf(*resource, at->coordinates, at->level);
  if (!region) return region.error();
  debug::Value v = shapeAt(s, std::move(*region), at->coordinates[0]);
  const std::optional<std::vector<std::byte>> bytes = s.bytesOf(*v.region);
  if (v.texel && bytes) {
    v.tuple = debug::ownTexel(*v.texel, s.profile().texel, bytes->data());
    return v;
  }
  for (ScalarValue& part : v.tuple->parts) {
    part.state = bytes ? ScalarValue::State::kKnown : ScalarValue::State::kNotWritten;
    if (bytes) std::memcpy(&part.bits, bytes->data(), std::min(bytes->size(), sizeof part.bits));
    part = debug::widened(part);
    v.tuple->type = part.type;
  }
  return v;
}

std::optional<std::pair<std::string, std::string>> resourceAndPlace(const std::string& given) {
  const std::string text = trimmed(given);
  const std::size_t level = text.rfind(fmt::format("] {} ", kLevel)), open = text.find('[');
  if (level != std::string::npos && open < level)  // "mips[3, 2] level 1"
    return std::pair(trimmed(text.substr(0, open)), text.substr(open + 1, level - open - 1) + " " + trimmed(text.substr(level + 1)));
  const auto [name, place] = firstWord(text);
  const bool isPlace = !place.empty() && place[0] >= '0' && place[0] <= '9';
  return isPlace && isNameOfResource(name) ? std::optional(std::pair(name, place)) : std::nullopt;
}

Expected<debug::Value> valueOf(debug::Session& session, const std::string& text, Extent3 of, std::size_t frame) {
  if (const auto both = resourceAndPlace(text)) return valueIn(session, both->first, both->second);
  const Expected<debug::Expression> e = debug::parseExpression(text);
  if (!e) return e.error();
  return session.evaluate(*e, of, frame);
}

}  // namespace lanewise
