// Setting a variable: its new value as bytes of the state.
#include <fmt/format.h>

#include "model/debug/arithmetic.h"
#include "model/debug/session.h"
#include "model/memory/texel_access.h"
#include "model/scalar/half.h"

namespace lanewise::debug {
namespace {

using State = ScalarValue::State;

Error cannotSet(std::string what, std::string hint = "") {
  return {Outcome::kBadInput, std::move(what), "", std::move(hint)};
}

// The value with the type of what it is for. As in GLSL, an integer becomes a float by itself, and nothing else changes its kind.
Expected<Tuple> fitting(const OpRows& rows, const Tuple& value, const Tuple& like) {
  const std::string from = typeName(value), to = typeName(like);
  if (value.parts.size() != like.parts.size() || value.columns != 0 || (isFloat(value.type) && !isFloat(like.type)) ||
      (value.type == Scalar::kBool) != (like.type == Scalar::kBool))
    return cannotSet(fmt::format("{} is no {}", from, to), fmt::format("write {}(...)", to));
  for (const ScalarValue& v : value.parts)
    if (v.state != State::kKnown) return cannotSet("the value is not known");
  return call(rows, to, std::span(&value, 1));
}

// A number of a tuple, in the type that the scalar has in memory. Nothing: it does not fit.
std::optional<std::uint64_t> bitsFor(const LaneValue& scalar, const ScalarValue& v) {
  const Scalar type = scalar.scalar().type;
  if (type == Scalar::kF16) return scalar::halfFromFloat(std::bit_cast<float>(static_cast<std::uint32_t>(v.bits))).bits;
  const std::uint32_t bytes = scalarBytes(type);
  if (type == Scalar::kBool || bytes >= 4) return v.bits;
  const std::int64_t value = asInteger(v), most = std::int64_t{1} << (8 * bytes);
  const bool fits = v.isSigned ? value >= -most / 2 && value < most / 2 : value >= 0 && value < most;
  return fits ? std::optional(static_cast<std::uint64_t>(value) & static_cast<std::uint64_t>(most - 1)) : std::nullopt;
}

template <class T>
std::vector<std::byte> rawBytes(const T& value, std::size_t count = sizeof(T)) {
  std::vector<std::byte> out(count);
  std::memcpy(out.data(), &value, count);
  return out;
}

}  // namespace

Change Session::changeAt(const Region& region) {
  Change c;
  c.place = region.place;
  c.resource = region.resource;
  const std::span<const WorkgroupState> all = residents();
  for (c.slot = 0; c.slot < all.size() && !(all[c.slot].running && all[c.slot].id == region.who.group); ++c.slot) {
  }
  c.batch = region.who.batch;
  c.lane = region.who.lane;
  c.offset = region.begin;
  return c;
}

Status Session::change(std::vector<Change> changes) {
  if (!line_.change(changes)) return cannotSet("there is nothing that can be set now", "go back into the run");
  findings_.reset();
  forget();
  stop_.hit.reset();  // what an access was about to do there
  return {};
}

Status Session::setBytes(const Region& region, std::vector<std::byte> bytes) {
  Change c = changeAt(region);
  c.bytes = std::move(bytes);
  return change({std::move(c)});
}

Expected<Value> Session::set(const Expression& target, const Expression& value, Extent3 of, std::size_t frame) {
  const Expected<Scope> at = scope(of, frame);
  if (!at) return at.error();
  const Expected<Value> to = debug::evaluate(target, *at), from = debug::evaluate(value, *at);
  if (!to) return to.error();
  if (!from) return from.error();
  if (to->variable && (to->variable->isGone() || to->variable->home() == LaneValue::Home::kRecord))
    return cannotSet("the compiler has put it elsewhere: this is a copy for debuggers", "compile without optimisation");
  if (!to->region || to->region->place == Place::kPush || !to->tuple || (!to->variable && !to->texel))
    return cannotSet("this is no number or vector in memory that a run writes", "name a variable, a part of one, or a whole texel");
  if (!from->tuple) return cannotSet("the value is neither a number nor a vector");
  const OpRows& rows = at->places->rows(*at->lane.env->profile);
  const Expected<Tuple> now = fitting(rows, *from->tuple, *to->tuple);
  if (!now) return now.error();
  std::vector<Change> changes;
  if (!to->variable) {
    std::uint64_t parts[4] = {};
    for (std::size_t i = 0; i < now->parts.size(); ++i)
      parts[i] = isFloat(now->type) ? now->parts[i].bits : static_cast<std::uint64_t>(asInteger(now->parts[i]));
    std::vector<std::byte> texel(to->texel->texelBytes);
    encodeTexel(*to->texel, at->lane.env->profile->texel, parts, texel.data());
    changes.push_back(changeAt(*to->region));
    changes.back().bytes = std::move(texel);
  }
  for (std::size_t i = 0; to->variable && i < now->parts.size(); ++i) {
    const LaneValue part = to->variable->isScalar() ? *to->variable : to->variable->part(i);
    const Scalar type = part.scalar().type;
    const std::optional<std::uint64_t> bits = bitsFor(part, now->parts[i]);
    if (!bits) return cannotSet(fmt::format("{} is out of range here", asInteger(now->parts[i])));
    Change c = changeAt(*to->region);
    c.offset = part.byte();
    c.bytes = rawBytes(*bits, part.isOwn() ? (isWide(type) ? 8 : 4) : type == Scalar::kBool ? 4 : scalarBytes(type));
    changes.push_back(c);
    if (const auto note = part.noteByte()) {
      c.offset = *note;
      c.bytes = rawBytes(std::uint32_t{ir::kWritten});
      changes.push_back(std::move(c));
    }
  }
  if (Status bad = change(std::move(changes))) return *bad;
  return evaluate(target, of, frame);
}

Expected<Stop> Session::unset() {
  if (!line_.isChanged()) return cannotSet("nothing was set");
  if (Status bad = line_.unchange()) return *bad;
  findings_.reset();
  return settle(arrived(Why::kArrived));
}

}  // namespace lanewise::debug
