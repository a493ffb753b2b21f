#include "model/check/race_text.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "model/check/place_text.h"
#include "model/memory/texel_access.h"
#include "model/spirv/scalar_text.h"
#include "model/spirv/source_words.h"
#include "model/state/lane_value.h"
#include "model/state/race_order.h"
#include "model/state/workgroup.h"

namespace lanewise::race {
namespace {

std::uint32_t valuesStored(const Program& program, std::uint32_t pc) {
  return std::max(1u, program.componentsStored(pc));
}

std::array<std::uint32_t, 3> globalOf(const Program& program, const Extent3& groups, const Party& p) {
  return globalInvocation(program, groups, p.workgroup, program.invocationOf(p.lane));
}

// "-1", "0.5"; for a texel "(1, 2, 3, 255)".
std::string valueText(const std::vector<std::byte>& bytes, const Reading& as) {
  if (!as.texel) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min<std::size_t>(8, bytes.size()));
    return scalarText(scalarBytes(as.scalar) == bytes.size() ? as.scalar : Scalar::kI64, as.isSigned, bits);
  }
  const bool isSigned = as.texel->numeric == NumericFormat::kSint, isInteger = isSigned || as.texel->numeric == NumericFormat::kUint;
  std::uint64_t component[4] = {0, 0, 0, 0};
  decodeTexel(*as.texel, TexelRules{}, bytes.data(), component);
  std::vector<std::string> texts;
  for (std::uint32_t c = 0; c < as.texel->components; ++c)
    texts.push_back(scalarText(isInteger ? Scalar::kI64 : Scalar::kF32, isSigned, component[c]));
  return texts.size() == 1 ? texts[0] : fmt::format("({})", fmt::join(texts, ", "));
}

// "first it is 3, then 4", "it read 3", "both store 4".
std::string valuesText(const Race& r, const Program& program) {
  const auto batchOf = [&](const Party& p) { return program.placeOf(p.lane).batch; };
  const bool atOnce = r.first.dispatch == r.second.dispatch && r.first.workgroup == r.second.workgroup && r.first.pc == r.second.pc &&
                      r.first.interval == r.second.interval && batchOf(r.first) == batchOf(r.second);
  if (!r.own && r.equal) return "both store the same value";
  if (!r.own) return atOnce ? "they store different values" : "several invocations store there at once";
  if (r.first.writes && r.equal) return fmt::format("both store {}", valueText(r.after, r.reading));
  const std::string was = valueText(r.before, r.reading), is = valueText(r.after, r.reading);
  if (r.first.writes && !r.second.writes) return fmt::format("it read {}", is);
  if (was == is) return fmt::format("the value is {}", is);
  return fmt::format("first it is {}, then {}", was, is);
}

std::string verb(const Party& p) {
  return p.atomic ? "atomic access" : p.writes ? "store" : "load";
}

MissingOrder missingOrder(const Race& r) {
  const bool sameGroup = r.first.workgroup == r.second.workgroup;
  if (r.first.dispatch != r.second.dispatch) return MissingOrder::kOfDispatches;
  const bool atomics = r.first.atomic && r.second.atomic;
  if (sameGroup && !atomics && r.first.pc == r.second.pc && r.first.interval == r.second.interval) return MissingOrder::kOfOneStore;
  if (!r.oneReference) return MissingOrder::kOfOneReference;
  if (!sameGroup) return MissingOrder::kAcrossGroups;
  return r.between.barrier ? MissingOrder::kOfMemory : MissingOrder::kInWorkgroup;
}

// What a barrier of the workgroup does not do for memory of a class.
std::string barrierLacks(const Program& program, std::uint32_t pc, Class c) {
  constexpr const char* kMemory[] = {"buffers", "workgroup memory", "images"};
  const ir::Order& order = program.orders[program.info[pc].order];
  const Semantics s = semanticsOf(order.semantics);
  const bool orders = s.release && s.acquire && s.names(c) && reachOf(order.scope) >= Reach::kWorkgroup;
  if (orders && !s.makesAvailable) return fmt::format("makes no {} available", kMemory[c]);
  if (orders && !s.makesVisible) return fmt::format("makes no {} visible", kMemory[c]);
  return fmt::format("orders no {}", kMemory[c]);
}

// What a pointer that is a value leads to is coherent where its block is, and not where the variable is that holds the pointer.
std::string notCoherent(const Program& program, const Race& r) {
  const ir::PathStep* root = rootOf(program, program.info[r.second.pc].path);
  const bool isPointer = root && root->kind == ir::PathStep::Kind::kPointer;
  return fmt::format("'{}' is not {}", isPointer ? program.module.nameOf(root->type->id) : r.object.variable,
                     spirv::sourceWords(program.module).coherent);
}

// Whether there are atomics of what was stored: not of parts of a word, nor of several components.
bool hasAtomics(const Race& r) {
  const FormatInfo* texel = r.reading.texel;
  return r.after.size() >= sizeof(std::uint32_t) && (!texel || (texel->components == 1 && texel->componentBits >= 32));
}

// In plain words. What mends it has to be tried (model/mend.h).
std::string missingText(const Race& r, const Program& itsProgram, const Program& program) {
  const bool mixed = r.first.atomic != r.second.atomic, isPrivate = r.first.isPrivate || r.second.isPrivate;
  switch (missingOrder(r)) {
    case MissingOrder::kOfDispatches:
      return fmt::format("no barrier stands between dispatches {} and {}", r.first.dispatch, r.second.dispatch);
    case MissingOrder::kOfOneStore:
      return fmt::format("invocations that store at once have no order: let one of them store{}",
                         hasAtomics(r) ? ", or use an atomic" : "");
    case MissingOrder::kOfOneReference: {
      const std::string its = variableName(itsProgram, r.first.pc);
      const std::string both =
          its.empty() || its == r.object.variable ? "two variables" : fmt::format("'{}' and '{}'", its, r.object.variable);
      return both + " name this memory, and nothing inside of a dispatch orders one after the other: use one variable";
    }
    default:
      break;
  }
  const char* const notAcquired = "what was released behind the first is not acquired before the second";
  if (missingOrder(r) == MissingOrder::kOfMemory)
    return fmt::format("the barrier at {} stands between them, but {}", program.instructionPlace(r.between.barrierPc).text(),
                       isPrivate              ? notCoherent(program, r)
                       : r.between.isReleased ? notAcquired
                                              : barrierLacks(program, r.between.barrierPc, r.in));
  std::string out =
      missingOrder(r) == MissingOrder::kInWorkgroup ? "no barrier of the workgroup orders them" : "nothing orders their workgroups";
  if (mixed) out += ", and one of them is no atomic";
  if (isPrivate) return out + ", and " + notCoherent(program, r);
  return r.between.isReleased ? fmt::format("{}: {}", out, notAcquired) : out;
}

}  // namespace

Reading readingOf(const AccessEvent& event, const LaneRun& run) {
  const Program& program = *event.batch.env->program;
  if (event.place != Place::kImage) return {program.accessOf(event.pc)->type, isSignedValue(program, event.pc), nullptr};
  return {Scalar::kNone, false, viewedFormat(event, run)};
}

bool exchangeMissed(const AccessEvent& event, std::uint32_t lane, std::uint64_t values, std::uint32_t size) {
  const Program& program = *event.batch.env->program;
  const ir::ImageAccess* image = program.imageAccessOf(event.pc);
  const auto op = image ? image->op : static_cast<spv::Op>(program.codeOf(event.pc));
  if (event.kind != AccessKind::kAtomic || !compares(op)) return false;
  if (std::memcmp(event.before.data() + values, event.after.data() + values, size) != 0) return false;
  // If the bytes are unchanged, it failed, or stored what was there. The comparator decides, unless the result uses its register.
  const DescribedOperand& comparator = event.batch.env->program->argumentsOf(event.pc).back();
  if (comparator.slot.offset == program.code[event.pc].dst) return true;
  std::uint64_t was = 0, asked = bitsOf(event.batch, comparator, lane);
  std::memcpy(&was, event.before.data() + values, std::min(size, 8u));
  return was != asked;
}

bool goesTo(const AccessEvent& event, std::uint32_t lane, std::uint64_t byte) {
  return std::ranges::any_of(event.runs, [&](const LaneRun& run) {
    if (lane < run.lane || lane >= run.lane + run.count) return false;
    const std::uint64_t at = run.offsetOf(lane - run.lane);
    return at <= byte && byte < at + run.size;
  });
}

bool sameStoredValue(const AccessEvent& event, std::uint32_t a, std::uint32_t b) {
  const auto arguments = event.batch.env->program->argumentsOf(event.pc);
  const std::uint32_t values = valuesStored(*event.batch.env->program, event.pc);
  return std::ranges::all_of(arguments.last(std::min<std::size_t>(values, arguments.size())),
                             [&](const DescribedOperand& v) { return bitsOf(event.batch, v, a) == bitsOf(event.batch, v, b); });
}

RunFinding findingOf(const Job& job, const Segment& segment, const Race& r) {
  const Program& program = segment.program(r.second.dispatch);
  const Program& itsProgram = segment.program(r.first.dispatch);
  const Extent3 groups = job.dispatches[r.second.dispatch].groups;
  RunFinding f;
  f.kind = r.equal ? FindingKind::kRaceOfEqualValues : FindingKind::kRace;
  f.dispatch = r.second.dispatch;
  const Extent3 id = workgroupAt(r.second.workgroup, groups);
  f.workgroup = {id.x, id.y, id.z};
  f.invocation = globalOf(program, groups, r.second);
  f.at = program.instructionPlace(r.second.pc);
  f.instruction = spirv::opName(program.instructionOf(r.second.pc).op);
  f.object = r.object;
  f.place = r.place;
  const auto at = globalOf(itsProgram, job.dispatches[r.first.dispatch].groups, r.first);
  f.otherAt = itsProgram.instructionPlace(r.first.pc);
  f.other = fmt::format("against the {} by {},{},{}{} at {}; {}", verb(r.first), at[0], at[1], at[2],
                        r.first.dispatch == r.second.dispatch ? "" : fmt::format(" of dispatch {}", r.first.dispatch), f.otherAt.text(),
                        valuesText(r, program));
  f.mend = missingText(r, itsProgram, program);
  f.missing = missingOrder(r);
  f.twoStores = r.first.writes && r.second.writes && !r.first.atomic && !r.second.atomic;
  f.count = r.count;
  return f;
}

}  // namespace lanewise::race

namespace lanewise {

bool isRace(FindingKind kind) {
  return kind == FindingKind::kRace || kind == FindingKind::kRaceOfEqualValues;
}

}  // namespace lanewise
