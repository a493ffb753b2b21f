// What a Tracker tells, as findings.
#include <fmt/format.h>

#include <algorithm>

#include "model/check/layout.h"
#include "model/check/place_text.h"
#include "model/check/undefined_tracker.h"
#include "model/ir/rows/definedness.h"

namespace lanewise::undefined {
namespace {

InstructionPlace placeOfUse(const Program& p, std::uint32_t pc) {
  return p.placeBefore(pc, 9);
}

// ", at scan.comp:9" if all that load a variable, in all copies of its function, stand in one line.
std::string lineOfLoads(const Program& p, std::uint32_t variable) {
  std::string line;
  for (const ir::LocalVariable& local : p.locals) {
    if (local.variable != variable || (local.loadedAt.line == 0 && !local.loadedElsewhere)) continue;
    const std::string own = p.module.lineText(local.loadedAt);
    if (local.loadedElsewhere || (!line.empty() && own != line)) return {};
    line = own;
  }
  return line.empty() ? line : ", at " + line;
}

}  // namespace

std::string Tracker::sourceText(const Source& s) const {
  using Kind = Source::Kind;
  const Program& p = *watched_.at(s.at.dispatch).program;
  if (s.kind == Kind::kVariable && s.value == 0) return "from a value that a function returns without one";
  if (s.kind == Kind::kVariable)
    return fmt::format("from '{}', which is read before it is written{}", p.module.nameOf(s.value), lineOfLoads(p, s.value));
  if (s.kind == Kind::kUndef) {
    std::string line;
    for (std::uint32_t o = s.value; o != 0 && line.empty(); o = p.origins[o].caller)
      line = p.module.lineText(p.module.instructions[p.origins[o].instruction].source);
    return fmt::format("from {}{}", spirv::opName(p.module.instructions[p.origins[s.value].instruction].op),
                       line.empty() ? "" : " at " + line);
  }
  const std::string made = fmt::format("from {} at {}", p.moduleOpOf(s.at.pc), p.instructionPlace(s.at.pc).text());
  if (s.kind == Kind::kInactiveLane) return made + ", which reads a lane that is not active";
  return fmt::format("{}, {}", made, ir::undefinedText(ir::definednessOf(p.codeOf(s.at.pc))));
}

std::string Tracker::reachedText(const Reached& r) const {
  const std::string line = placeOfUse(*watched_.at(r.at.dispatch).program, r.at.pc).text();
  switch (r.sink) {
    case Sink::kBranch:
      return "it goes into the branch at " + line;
    case Sink::kAddress:
      return "it goes into an address at " + line;
    case Sink::kAtomic:
      return "it goes into the atomic at " + line;
    default:
      return fmt::format("it goes into the output '{}' at {}", r.object.text(), line);
  }
}

RunFinding Tracker::findingOf(const Source& s, const Reached& r) const {
  const Program& p = *watched_.at(r.at.dispatch).program;
  RunFinding f;
  f.kind = FindingKind::kUndefinedValue;
  f.dispatch = r.at.dispatch;
  f.workgroup = r.at.workgroup;
  f.invocation = r.at.invocation;
  f.at = placeOfUse(p, r.at.pc);
  f.instruction = spirv::opName(p.instructionOf(r.at.pc).op);
  f.object = r.object;
  f.place = r.sink == Sink::kBranch    ? "which decides the way"
            : r.sink == Sink::kAddress ? "as an address"
            : r.sink == Sink::kAtomic  ? "in an atomic"
                                       : "an output of the job";
  f.other = sourceText(s);
  if (s.kind != Source::Kind::kVariable && s.kind != Source::Kind::kUndef)
    f.otherAt = watched_.at(s.at.dispatch).program->instructionPlace(s.at.pc);
  f.count = r.count;
  return f;
}

// Bytes of an output that hold what is undefined. Padding of its blocks may.
void Tracker::lookAtOutputs() {
  for (std::uint32_t i = 0; i < resources_.size(); ++i) {
    const Resource& r = job_.resources[i];
    if (!r.output) continue;
    std::vector<std::uint8_t> named;
    resources_[i].forEachMarked([&](std::uint64_t byte, Mark mark) {
      if (named.empty()) named = namedBytes(i);
      const Way& way = ways_[mark];
      if (named[byte] == 0 || !way.isStored) return;
      PlaceName object = placeName(*watched_.at(way.stored.dispatch).program, job_.dispatches[way.stored.dispatch], r.name, byte);
      if (object.variable.empty())
        object = {r.name, std::holds_alternative<ImageData>(r.data) ? fmt::format("[{}]", placeIn(r, byte)) : ""};
      tell(Sink::kOutput, mark, way.stored, std::move(object));
    });
  }
}

// Those that a member of a block names, where a dispatch binds one.
std::vector<std::uint8_t> Tracker::namedBytes(std::uint32_t resource) const {
  std::vector<std::pair<const Program*, const Dispatch*>> all;
  for (std::size_t d = 0; d < watched_.size(); ++d)
    if (watched_[d].program) all.emplace_back(watched_[d].program, &job_.dispatches[d]);
  return namedBytesOf(job_.resources[resource], all);
}

std::vector<RunFinding> Tracker::finish(bool complete, std::vector<RunFinding> found) {
  if (complete) lookAtOutputs();
  std::vector<RunFinding> out;
  for (RunFinding& f : found) {
    if (f.kind != FindingKind::kUninitialised || f.at.empty()) {
      out.push_back(std::move(f));
      continue;
    }
    for (const auto& [source, reached] : reached_) {
      const Source& s = sources_[source];
      if (s.kind != Source::Kind::kMemory || s.at.dispatch != f.dispatch ||
          !sameLine(f.at, watched_.at(s.at.dispatch).program->instructionPlace(s.at.pc)))
        continue;
      f.other = reachedText(reached);
      out.push_back(std::move(f));
      break;
    }
  }
  for (const auto& [source, reached] : reached_)
    if (sources_[source].kind != Source::Kind::kMemory) out.push_back(findingOf(sources_[source], reached));
  return out;
}

}  // namespace lanewise::undefined
