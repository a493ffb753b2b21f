// Questions about memory: images as pictures and as values, buffers and workgroup memory as numbers.
#include <fmt/format.h>

#include <algorithm>

#include "model/debug/job_values.h"
#include "tools/debug/in_scope.h"
#include "tools/debug/text.h"
#include "tools/debug/variable_text.h"
#include "tools/run/job_place.h"
#include "tools/web/face.h"
#include "tools/web/picture.h"

namespace lanewise::web {
namespace {

constexpr std::int64_t kMostNumbers = 1024, kMostValues = 4096;

// Nothing: it is not there. Wrong: `a` keeps it.
std::optional<double> realOr(Arguments& a, const char* name) {
  if (!a.has(name) || a.whole()[name].is_null()) return {};
  if (!a.whole()[name].is_number()) return static_cast<double>(a.number(name));
  return a.whole()[name].get<double>();
}

}  // namespace

Expected<const Resource*> Face::resourceOf(Arguments& a) {
  const auto number = static_cast<std::size_t>(a.number("resource"));
  if (a.bad()) return *a.bad();
  const std::vector<Resource>& all = session().resources();
  if (number >= all.size()) return Error{Outcome::kBadInput, fmt::format("there is no resource {}", number), "", ""};
  return &all[number];
}

// Bytes of red, green, blue and alpha; their shape and the values of black and white are in fields.
Face::Answer Face::picture(Arguments& a) {
  const auto natural = [&](const char* name, std::int64_t usual) { return static_cast<std::uint32_t>(a.numberOr(name, usual)); };
  View v;
  v.level = natural("level", 0);
  v.slice = natural("slice", 0);
  v.x = natural("x", 0);
  v.y = natural("y", 0);
  v.width = natural("width", 1);
  v.height = natural("height", 1);
  v.step = natural("step", 1);
  const std::string channels = a.textOr("channels", "rgb");
  const std::size_t one = std::string_view("rgba").find(channels);
  if (channels.size() == 1 && one != std::string_view::npos) v.grey = static_cast<std::uint32_t>(one);
  v.low = realOr(a, "low");
  v.high = realOr(a, "high");
  const Expected<const Resource*> resource = resourceOf(a);
  if (!resource) return resource.error();
  if (!v.grey && channels != "rgb") return Error{Outcome::kBadInput, fmt::format("there are no channels '{}'", channels), "", ""};
  Expected<Painted> p = paint(**resource, v, session().profile().texel);
  if (!p) return p.error();
  return HttpAnswer{200,
                    "application/octet-stream",
                    std::move(p->bytes),
                    {{"Lanewise-Width", fmt::format("{}", p->width)},
                     {"Lanewise-Height", fmt::format("{}", p->height)},
                     {"Lanewise-Low", fmt::format("{}", p->low)},
                     {"Lanewise-High", fmt::format("{}", p->high)},
                     {"Lanewise-Version", fmt::format("{}", version_.load())}}};
}

// The values of a few texels, row by row.
Face::Answer Face::texels(Arguments& a) {
  const std::int64_t level = a.numberOr("level", 0), slice = a.numberOr("slice", 0);
  const std::int64_t x = a.number("x"), y = a.number("y"), width = a.numberOr("width", 1, 1), height = a.numberOr("height", 1, 1);
  const bool hex = a.flagOr("hex", false);
  const Expected<const Resource*> resource = resourceOf(a);
  if (!resource) return resource.error();
  if (width * height > kMostValues) return Error{Outcome::kBadInput, fmt::format("at most {} texels at once", kMostValues), "", ""};
  const auto* image = std::get_if<ImageData>(&(**resource).data);
  if (!image) return Error{Outcome::kBadInput, fmt::format("'{}' is no image", (**resource).name), "", ""};
  const FormatInfo& format = *formatInfo(image->format);
  Json values = Json::array();
  for (std::int64_t i = 0; i < width * height; ++i) {
    const std::uint64_t at[] = {static_cast<std::uint64_t>(x + i % width), static_cast<std::uint64_t>(y + i / width),
                                static_cast<std::uint64_t>(slice)};
    const Expected<debug::Region> place =
        session().regionOf(static_cast<std::uint32_t>(a.number("resource")), at, static_cast<std::uint32_t>(level));
    if (!place) return place.error();
    values.push_back(tupleText(debug::ownTexel(format, session().profile().texel, image->bytes.data() + place->begin), hex));
  }
  return told(200, {{"values", std::move(values)}});
}

// A buffer's values from a byte on: by what a module says of it, or all of one type.
Face::Answer Face::numbers(Arguments& a) {
  const auto from = static_cast<std::uint64_t>(a.numberOr("from", 0, 0, std::numeric_limits<std::int64_t>::max()));
  const std::int64_t count = a.number("count", 0, kMostNumbers);
  const std::string typeName = a.textOr("type");
  const Expected<const Resource*> resource = resourceOf(a);
  if (!resource) return resource.error();
  const std::optional<ValueType> type = typeName.empty() ? ValueType{} : valueTypeByName(typeName);
  if (!type) return Error{Outcome::kBadInput, fmt::format("there is no type '{}'", typeName), "", "u8 to u64, i8 to i64, f16, f32, f64"};
  const std::vector<std::byte>& bytes = (**resource).bytes();
  Json values = Json::array();
  std::uint64_t at = from;
  for (std::int64_t i = 0; i < count && at < bytes.size(); ++i) {
    JobPlace place = typeName.empty() ? placeOf(session().job(), **resource, at) : JobPlace{fmt::format("{}", at), at, nullptr, *type};
    const std::uint64_t size = place.texel ? place.texel->texelBytes : place.type.bytes;
    const bool isPoisoned =
        (**resource).undefined && isPoison(std::span(bytes).subspan(at).first(std::min<std::uint64_t>(size, bytes.size() - at)));
    values.push_back(
        {{"byte", place.first}, {"name", place.name}, {"value", place.value(bytes, session().profile().texel)}, {"poison", isPoisoned}});
    at = place.first + size;
  }
  return told(200, {{"values", std::move(values)}, {"next", at}, {"bytes", bytes.size()}});
}

// Workgroup memory by its variables, from a byte on, with who stored each last, if that is known (`find`).
Face::Answer Face::memory(Arguments& a) {
  const auto from = static_cast<std::uint64_t>(a.numberOr("from", 0));
  const std::int64_t count = a.number("count", 0, kMostNumbers);
  if (a.bad()) return *a.bad();
  wantsStores_ = true;
  // Of any invocation that is still somewhere: they share it.
  Expected<debug::Scope> scope = session().scope(session().focus());
  for (const Extent3 at : session().invocations())
    if (!scope) scope = session().scope(at);
  if (!scope) return scope.error();
  std::vector<NamedValue> variables;
  for (const NamedValue& v : globalsOf(*scope))
    if (v.value.isWorkgroupMemory()) variables.push_back(v);
  const Program& p = session().program();
  const Extent3 group = scope->lane.env->group;
  const bool isKnown = stores_ && stores_->time == session().time() && stores_->group == group;
  Json values = Json::array();
  std::uint64_t at = from;
  for (std::int64_t i = 0; at < p.workgroupBytes && i < count;) {
    std::optional<NamedValue> leaf;
    for (const NamedValue& v : variables)
      if (!leaf) leaf = scalarAt(v, at);
    if (!leaf) {
      ++at;
      continue;
    }
    Json one{{"byte", at}, {"name", leaf->name}, {"value", valueText(leaf->value)}};
    if (const debug::LastStore s = isKnown ? stores_->all.at(at) : debug::LastStore(); s.pc != debug::kBlitted) {
      one["writer"] = invocationText(s.invocation) + " at " + placeText(session().places(), s.pc);
      one["time"] = {s.time.dispatch, s.time.opened, s.time.step};
    }
    values.push_back(std::move(one));
    at = leaf->value.byte() + std::max(1u, scalarBytes(leaf->value.scalar().type));
    ++i;
  }
  return told(200, {{"values", std::move(values)}, {"next", at}, {"bytes", p.workgroupBytes}, {"known", isKnown}});
}

}  // namespace lanewise::web
