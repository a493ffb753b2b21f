#include "tools/debug/access_text.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "tools/debug/in_scope.h"
#include "tools/debug/text.h"
#include "tools/debug/variable_text.h"
#include "tools/run/job_place.h"

namespace lanewise {
namespace {

// A scalar or a texel, by name, and what it is before and after.
struct Touched {
  std::string name, before, after;
};

std::optional<Touched> inResource(debug::Session& session, const debug::Hit& hit) {
  JobPlace place = placeOf(session.job(), session.job().resources[hit.resource], hit.byte);
  const std::uint64_t size = place.texel ? place.texel->texelBytes : place.type.bytes;
  if (place.first != hit.byte || size != hit.before.size()) return {};
  place.first = 0;
  const TexelRules& rules = session.profile().texel;
  return Touched{place.name, session.isFresh(hit) ? "?" : place.value(hit.before, rules), place.value(hit.after, rules)};
}

// The module's variables, and those of the functions that the invocation is in.
std::vector<NamedValue> inScope(debug::Session& session) {
  std::vector<NamedValue> all;
  for (std::size_t frame = 0;; ++frame) {
    const Expected<debug::Scope> scope = session.scope(session.focus(), frame);
    if (!scope || (frame != 0 && frame >= scope->places->frames(scope->pc).size())) return all;
    const std::vector<NamedValue> own = localsOf(*scope), globals = frame == 0 ? globalsOf(*scope) : std::vector<NamedValue>();
    all.insert(all.end(), own.begin(), own.end());
    all.insert(all.end(), globals.begin(), globals.end());
  }
}

std::optional<Touched> inVariable(debug::Session& session, const debug::Hit& hit) {
  for (const NamedValue& variable : inScope(session)) {
    if (hit.place == Place::kWorkgroup ? !variable.value.isWorkgroupMemory() : !variable.value.isOwn()) continue;
    const std::optional<NamedValue> found = scalarAt(variable, hit.byte);
    if (!found || found->value.byte() != hit.byte) continue;
    ScalarValue now = found->value.scalar();
    if (hit.after.size() > sizeof now.bits) return {};
    const std::string before = now.state == ScalarValue::State::kNotWritten ? "?" : valueText(found->value);
    now.state = ScalarValue::State::kKnown;
    now.bits = 0;
    std::memcpy(&now.bits, hit.after.data(), hit.after.size());
    return Touched{found->name, before, tupleText(debug::Tuple{now.type, now.isSigned, {now}})};
  }
  return {};
}

std::string rawText(const std::vector<std::byte>& bytes) {
  std::string out = "bytes";
  for (const std::byte b : bytes) out += fmt::format(" {:02x}", static_cast<unsigned>(b));
  return out;
}

}  // namespace

std::string accessText(debug::Session& session, const debug::Hit& hit) {
  const bool isResource = hit.place == Place::kBuffer || hit.place == Place::kImage || hit.place == Place::kPhysical;
  std::optional<Touched> t;
  if (hit.place == Place::kWorkgroup || hit.place == Place::kLaneMemory) t = inVariable(session, hit);
  if (isResource) t = inResource(session, hit);
  if (!t) t = Touched{"", rawText(hit.before), rawText(hit.after)};
  const std::string name = t->name.empty() ? "" : t->name + ": ";
  if (!hit.writes || t->before == t->after) return fmt::format("{}it is {}", name, t->before);
  return fmt::format("{}{} becomes {}", name, t->before, t->after);
}

}  // namespace lanewise
