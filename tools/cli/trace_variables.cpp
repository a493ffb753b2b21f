#include "tools/cli/trace_variables.h"

#include <algorithm>

#include "tools/debug/variable_text.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kMaxScalars = 4096;  // of a variable that is compared

void flatten(const LaneValue& value, std::vector<ScalarValue>& out) {
  if (value.isScalar()) out.push_back(value.scalar());
  if (!value.isScalar())
    for (std::uint64_t i = 0; i < value.count(); ++i) flatten(value.part(i), out);
}

bool isWritten(std::span<const ScalarValue> scalars) {
  return std::ranges::any_of(scalars, [](const ScalarValue& v) { return v.state == ScalarValue::State::kKnown; });
}

std::vector<ScalarValue> asUnwritten(std::vector<ScalarValue> scalars) {
  for (ScalarValue& v : scalars) {
    v.state = ScalarValue::State::kNotWritten;
    v.bits = 0;
  }
  return scalars;
}

// The parts whose scalars changed: the whole, where that is no array or structure or nearly all of it did.
void changedParts(std::vector<std::string>& out, const std::string& name, const LaneValue& value, std::span<const ScalarValue> before,
                  std::span<const ScalarValue> now) {
  const Type::Kind kind = value.type()->kind;
  std::vector<std::pair<std::uint64_t, std::size_t>> changed;  // part, first scalar
  std::size_t first = 0;
  for (std::uint64_t i = 0; i < value.count() && (kind == Type::Kind::kArray || kind == Type::Kind::kStruct); ++i) {
    const std::size_t leaves = value.part(i).type()->leaves;
    if (!std::ranges::equal(before.subspan(first, leaves), now.subspan(first, leaves))) changed.emplace_back(i, first);
    first += leaves;
  }
  if (changed.empty() || (changed.size() == value.count() && changed.size() > 1)) {
    out.push_back(variableText(name, value));
    return;
  }
  for (const auto& [i, at] : changed) {
    const LaneValue part = value.part(i);
    changedParts(out, name + partText(value, i), part, before.subspan(at, part.type()->leaves), now.subspan(at, part.type()->leaves));
  }
}

}  // namespace

const std::vector<SourceFrame>& TraceVariables::frames(std::uint32_t pc) {
  const auto [known, isNew] = frames_.try_emplace(pc);
  if (isNew) known->second = source_.frames(pc);
  return known->second;
}

// Names of callers' variables say whose they are.
std::string TraceVariables::nameOf(const SourceFrame* frame, const SourceVariable& v) const {
  const std::string& name = source_.of(v).name;
  return frame ? source_.debug().scopes[frame->function].name + "." + name : name;
}

void TraceVariables::begin(LaneState lane, std::optional<std::uint32_t> pc) {
  known_.clear();
  stored_.clear();
  last_ = pc;
  if (!pc) return;
  const auto note = [&](const SourceVariable& v) {
    const auto [known, isNew] = known_.try_emplace(keyOf(v));
    const LaneValue value = source_.read(v, lane);
    if (isNew && value.isOwn() && value.type()->leaves <= kMaxScalars) flatten(value, known->second);
  };
  for (std::uint32_t at = 0; at < source_.program().info.size(); ++at)
    for (const SourceFrame& f : source_.frames(at)) std::ranges::for_each(f.variables, note);
  std::ranges::for_each(source_.globals(), note);
}

void TraceVariables::compare(std::vector<std::string>& out, const std::string& name, LaneState lane, const SourceVariable& v, bool isNew) {
  const LaneValue value = source_.read(v, lane);
  if (!value.isOwn() || value.type()->leaves == 0 || value.type()->leaves > kMaxScalars) return;
  Scalars now;
  flatten(value, now);
  Scalars& before = known_[keyOf(v)];
  if (before.size() != now.size()) before = asUnwritten(now);
  const bool enters = isNew && source_.isParameter(v);
  if (isShown(v) && isWritten(now) && enters) out.push_back(variableText(name, value));
  if (isShown(v) && isWritten(now) && !enters && before != now) changedParts(out, name, value, before, now);
  before = std::move(now);
}

std::vector<std::string> TraceVariables::changes(LaneState lane, std::uint32_t pc) {
  std::vector<std::string> out;
  const std::vector<SourceFrame>& here = frames(pc);
  const std::vector<SourceFrame>* before = last_ ? &frames(*last_) : nullptr;
  const auto wasThere = [&](const SourceVariable& v) {
    return before && std::ranges::any_of(*before, [&](const SourceFrame& f) {
             return std::ranges::any_of(f.variables, [&](const SourceVariable& o) { return keyOf(o) == keyOf(v); });
           });
  };
  for (const SourceFrame& f : here)
    for (const SourceVariable& v : f.variables) compare(out, nameOf(&f == &here[0] ? nullptr : &f, v), lane, v, !wasThere(v));
  for (const SourceVariable& v : source_.globals()) compare(out, source_.of(v).name, lane, v, false);
  addStored(out, lane);
  last_ = pc;
  return out;
}

// The vectors, matrices and scalars of shared memory that the invocation has stored to.
void TraceVariables::addStored(std::vector<std::string>& out, LaneState lane) {
  for (const auto& [variable, byte] : stored_) {
    for (const SourceVariable& v : source_.globals()) {
      if (source_.idOf(v) != variable) continue;
      std::string name = source_.of(v).name;
      LaneValue value = source_.read(v, lane);
      while (const auto part = value.partAt(byte)) {
        name += partText(value, *part);
        value = value.part(*part);
      }
      if (name.starts_with('.')) name.erase(0, 1);  // a block without a name is its members
      const std::string line = variableText(name, value);
      if (std::ranges::find(out, line) == out.end()) out.push_back(line);
    }
  }
  stored_.clear();
}

void TraceVariables::add(std::vector<std::string>& out, const std::string& name, const LaneValue& value) const {
  if (!name.empty()) return out.push_back(variableText(name, value));
  for (std::uint64_t i = 0; i < value.count(); ++i) out.push_back(variableText(partText(value, i).substr(1), value.part(i)));
}

std::vector<std::string> TraceVariables::all(LaneState lane, std::uint32_t pc) {
  std::vector<std::string> out;
  const std::vector<SourceFrame>& here = frames(pc);
  for (const SourceFrame& f : here)
    for (const SourceVariable& v : f.variables)
      if (isShown(v)) add(out, nameOf(&f == &here[0] ? nullptr : &f, v), source_.read(v, lane));
  const auto isTaken = [&](const std::string& name) {
    return !here.empty() && std::ranges::any_of(here[0].variables, [&](const SourceVariable& o) { return source_.of(o).name == name; });
  };
  for (const SourceVariable& v : source_.globals())
    if (isShown(v) && !isTaken(source_.of(v).name)) add(out, source_.of(v).name, source_.read(v, lane));
  return out;
}

}  // namespace lanewise
