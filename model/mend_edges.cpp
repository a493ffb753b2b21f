#include "model/mend_edges.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "model/ir/operation_info.h"
#include "model/state/race_order.h"

namespace lanewise {
namespace {

using spv::Op;
using Edit = OrderEdit;
using Edits = std::vector<Edit>;
using MemoryMask = spv::MemorySemanticsMask;

constexpr std::uint32_t maskBit(MemoryMask mask) {
  return static_cast<std::uint32_t>(mask);
}
constexpr std::uint32_t kBufferBit = maskBit(MemoryMask::UniformMemory), kSharedBit = maskBit(MemoryMask::WorkgroupMemory),
                        kImageBit = maskBit(MemoryMask::ImageMemory), kAllBits = kBufferBit | kSharedBit | kImageBit;
constexpr std::uint32_t kDeviceScope = static_cast<std::uint32_t>(spv::Scope::Device),
                        kFamilyScope = static_cast<std::uint32_t>(spv::Scope::QueueFamily),
                        kGroupScope = static_cast<std::uint32_t>(spv::Scope::Workgroup);

bool isVulkanModel(const spirv::Module& m) {
  return std::ranges::count(m.capabilities, spv::Capability::VulkanMemoryModel) != 0;
}

// An instruction of synchronisation.
class SyncPoint {
 public:
  SyncPoint(const RacingPair& pair, std::size_t index, const ir::Order& order)
      : pair_(pair), index_(index), order_(order), semantics_(race::semanticsOf(order.semantics)) {}
  const spirv::Instruction& inst() const { return pair_.module.instructions[index_]; }
  const spirv::Instruction& next() const { return pair_.module.instructions[index_ + 1]; }
  bool isBarrier() const { return inst().op == Op::OpControlBarrier; }
  bool isFence() const { return inst().op == Op::OpMemoryBarrier; }
  std::size_t index() const { return index_; }
  std::uint32_t scope() const { return order_.scope; }
  std::uint32_t mask() const { return order_.semantics; }
  bool releases() const { return semantics_.release; }
  bool acquires() const { return semantics_.acquire; }
  // "the release at scan.comp:12"
  std::string text() const {
    const bool both = releases() && acquires();
    const std::string what = isBarrier()                          ? "barrier"
                             : isFence() && (both || mask() == 0) ? "memory barrier"
                             : both                               ? "acquire and release"
                             : releases()                         ? "release"
                             : acquires()                         ? "acquire"
                                                                  : spirv::opName(inst().op);
    return fmt::format("the {} at {}", what, pair_.placeOf(index_));
  }

 private:
  const RacingPair& pair_;
  std::size_t index_;
  const ir::Order& order_;
  race::Semantics semantics_;
};

std::vector<SyncPoint> syncPoints(const RacingPair& pair) {
  std::vector<SyncPoint> out;
  for (std::size_t i = 0; i < pair.module.instructions.size(); ++i)
    if (const SaidOrder* said = pair.saidOf(i); said && ir::factsOf(pair.module.instructions[i].op).order)
      out.emplace_back(pair, i, said->order);
  return out;
}

std::string scopeName(std::uint32_t scope) {
  constexpr const char* kNames[] = {"CrossDevice", "Device", "Workgroup", "Subgroup", "Invocation", "QueueFamily"};
  return scope < std::size(kNames) ? kNames[scope] : std::to_string(scope);
}

std::string memoryText(std::uint32_t classes) {
  std::vector<const char*> names;
  if (classes & kBufferBit) names.push_back("buffers");
  if (classes & kSharedBit) names.push_back("workgroup memory");
  if (classes & kImageBit) names.push_back("images");
  return fmt::format("{}", fmt::join(names, " and "));
}

// What the edits change at one instruction of synchronisation.
struct PointEdits {
  std::uint32_t before = 0, after = 0, classes = 0;
  bool releases = false, acquires = false;  // the fences before and after
  bool scope = false;
};

// With the Vulkan memory model an atomic or a barrier says it itself.
std::string classesText(const RacingPair& pair, const SyncPoint& at, std::uint32_t classes) {
  const std::uint32_t missing = classes & ~at.mask();
  if (!isVulkanModel(pair.module))
    return fmt::format("{} does not name {}: put {} there", at.text(), memoryText(missing), pair.words.fenceOf(classes));
  const bool stores = at.inst().op == Op::OpAtomicStore, loads = at.inst().op == Op::OpAtomicLoad;
  if (stores && at.releases()) return fmt::format("{} makes nothing available: let its semantics do so", at.text());
  if (loads && at.acquires()) return fmt::format("{} makes nothing visible: let its semantics do so", at.text());
  if (stores) return fmt::format("{} is relaxed: give it release semantics that make memory available", at.text());
  if (loads) return fmt::format("{} is relaxed: give it acquire semantics that make memory visible", at.text());
  if (!at.isBarrier() && !at.isFence() && !(at.releases() && at.acquires()))
    return fmt::format("{} {}: give it acquire and release semantics that make memory available and visible", at.text(),
                       at.releases()   ? "acquires nothing"
                       : at.acquires() ? "releases nothing"
                                       : "is relaxed");
  return fmt::format("{} does not hand {} on: let its semantics name that, acquire and release, and make it available and visible",
                     at.text(), memoryText(missing == 0 ? classes : missing));
}

std::string pointText(const RacingPair& pair, const SyncPoint& at, const PointEdits& edits) {
  std::vector<std::string> out;
  const bool inGroup = pair.race.missing != MissingOrder::kAcrossGroups;
  if (edits.before | edits.after) {
    const bool both = edits.before != 0 && edits.after != 0;
    const char* const where = both ? "before and after" : edits.before ? "before" : "after";
    const std::string verbs = edits.releases && edits.acquires ? "releases and acquires" : edits.releases ? "releases" : "acquires";
    const bool relaxed = !at.isBarrier() && !at.releases() && !at.acquires();
    const std::uint32_t classes = edits.before | edits.after;
    const char* const fence = pair.words.fenceOf(classes);
    if (at.isBarrier() && inGroup)
      out.push_back(fmt::format("put {} {} {}", fence, where, at.text()));
    else if (!both && edits.releases != edits.acquires && edits.releases != (edits.before != 0))  // of what stands beyond it
      out.push_back(fmt::format("nothing {0} {1} {2}: put {3} {1} it", verbs, where, at.text(), fence));
    else if ((!edits.releases || at.releases()) && (!edits.acquires || at.acquires()) && !at.isBarrier() && (classes & ~at.mask()) != 0)
      out.push_back(fmt::format("{} does not name {}: put {} {} it", at.text(), memoryText(classes & ~at.mask()), fence, where));
    else
      out.push_back(fmt::format("{} {}{} {}: put {} {} it", at.text(), relaxed ? "is relaxed and " : "", verbs,
                                at.isBarrier() ? "nothing of other workgroups" : "nothing", fence, where));
  }
  if (edits.classes) out.push_back(classesText(pair, at, edits.classes));
  if (edits.scope)
    out.push_back(fmt::format("{} is of {} scope: it has to be of {} scope", at.text(), scopeName(at.scope()),
                              inGroup ? "Workgroup" : "Device or QueueFamily"));
  return fmt::format("{}", fmt::join(out, "; "));
}

}  // namespace

SaidOrders saidOrders(const Program& program) {
  SaidOrders out;
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
    const InstrInfo& info = program.info[pc];
    const ir::Access* memory = program.accessOf(pc);
    const ir::ImageAccess* image = program.imageAccessOf(pc);
    if (!memory && !image && info.op != ir::kControlBarrier && info.op != ir::kMemoryBarrier) continue;
    SaidOrder& said = out[program.instructionOf(pc).offset];
    said.order = program.orders[info.order];
    if (memory || image) said.classes |= image ? kImageBit : memory->space == ir::Space::kWorkgroup ? kSharedBit : kBufferBit;
    const std::uint32_t variable = image ? image->variable : memory ? memory->variable : 0;
    const ir::PathStep* root = rootOf(program, info.path);
    if (variable != 0)
      said.variables.insert(variable);
    else if (root && root->kind == ir::PathStep::Kind::kPointer && root->type->kind == Type::Kind::kStruct)
      said.variables.insert(root->type->id);
  }
  return out;
}

const SaidOrder* RacingPair::saidOf(std::size_t i) const {
  const auto at = said.find(module.instructions[i].offset);
  return at == said.end() ? nullptr : &at->second;
}

std::uint32_t RacingPair::classOf(std::size_t i) const {
  const SaidOrder* own = saidOf(i);
  return own ? own->classes : 0;
}

std::string RacingPair::placeOf(std::size_t i) const {
  return module.placeOf(module.instructions[i], module.instructions[i].source).text();
}

std::string RacingPair::nameOf(std::uint32_t variable) const {
  const auto name = module.names.find(variable);
  return name != module.names.end() && !name->second.empty() ? name->second : race.object.variable;
}

Edits RacingPair::coherent() const {
  Edits out;
  if (classOf(second) == kSharedBit) return out;
  const auto variablesOf = [this](std::size_t access) {
    const SaidOrder* own = saidOf(access);
    return own ? own->variables : std::set<std::uint32_t>();
  };
  const std::set<std::uint32_t> ofFirst = variablesOf(first), ofSecond = variablesOf(second);
  std::set<std::uint32_t> variables, all;  // a function's access is one to the variables of all its calls: those of both race
  std::ranges::set_intersection(ofFirst, ofSecond, std::inserter(variables, variables.end()));
  std::ranges::set_union(ofFirst, ofSecond, std::inserter(all, all.end()));
  const auto isCoherent = [&](std::uint32_t variable) {
    if (!isVulkanModel(module))
      return module.decoration(variable, spv::Decoration::Coherent) || module.memberDecoration(variable, 0, spv::Decoration::Coherent);
    return std::ranges::all_of(
        said, [&](const auto& s) { return !s.second.variables.contains(variable) || s.second.order.has(ir::Order::kNonPrivate); });
  };
  for (const std::uint32_t variable : variables.empty() ? all : variables)
    if (!isCoherent(variable)) out.push_back({Edit::Kind::kCoherent, variable});
  return out;
}

std::vector<Edits> edgesOf(const RacingPair& pair) {
  Edits aroundBarriers, after, before, classes, scopes;
  const bool inGroup = pair.race.missing != MissingOrder::kAcrossGroups, vulkan = isVulkanModel(pair.module);
  const std::uint32_t own = pair.classes();
  const std::vector<SyncPoint> points = syncPoints(pair);
  std::uint32_t handed = own;  // and what atomics go to
  for (const SyncPoint& p : points)
    if (!p.isBarrier() && !p.isFence()) handed |= pair.classOf(p.index());
  for (const SyncPoint& p : points) {
    const std::uint32_t here = p.inst().offset, next = p.next().offset, scope = p.scope();
    const bool isWide = scope == kDeviceScope || scope == kFamilyScope || scope == 0 || (inGroup && scope == kGroupScope);
    if (p.isBarrier()) {
      const std::uint32_t named = inGroup ? own : kAllBits;
      if (vulkan && inGroup) {
        classes.push_back({Edit::Kind::kClasses, here, named, p.mask()});
      } else {
        aroundBarriers.push_back({Edit::Kind::kFence, here, named});
        aroundBarriers.push_back({Edit::Kind::kFence, next, named});
      }
      continue;
    }
    if (!isWide) scopes.push_back({Edit::Kind::kScope, here, 0});
    if (p.isFence()) {
      if ((handed & ~p.mask()) != 0) classes.push_back({Edit::Kind::kClasses, here, handed, p.mask()});
      continue;
    }
    const std::uint32_t at = pair.classOf(p.index());
    if (vulkan) {
      classes.push_back({Edit::Kind::kClasses, here, own | at, p.mask()});
      continue;
    }
    after.push_back({Edit::Kind::kFence, next, own | at, maskBit(MemoryMask::Acquire)});
    before.push_back({Edit::Kind::kFence, here, own | at, maskBit(MemoryMask::Release)});
  }
  std::ranges::reverse(after);  // the nearest to what it acquires is tried last to be left out
  return {aroundBarriers, after, before, classes, pair.coherent(), scopes};
}

std::string edgesText(const RacingPair& pair, const Edits& edits) {
  std::vector<std::string> out;
  const std::vector<SyncPoint> points = syncPoints(pair);
  const char* const coherent = pair.words.coherent;
  for (const Edit& e : edits)
    if (e.kind == Edit::Kind::kCoherent)
      out.push_back(pair.race.missing == MissingOrder::kOfMemory
                        ? fmt::format("declare '{}' {}", pair.nameOf(e.word), coherent)
                        : fmt::format("'{}' is not {}: declare it so", pair.nameOf(e.word), coherent));
  std::vector<bool> told(edits.size());  // a fence behind one instruction may stand before another
  for (const SyncPoint& p : points) {
    const std::uint32_t here = p.inst().offset, next = p.next().offset;
    PointEdits own;
    for (std::size_t i = 0; i < edits.size(); ++i) {
      const Edit& e = edits[i];
      const bool isFence = e.kind == Edit::Kind::kFence && !p.isFence() && (e.word == here || e.word == next) && !told[i];
      if (isFence) {
        (e.word == here ? own.before : own.after) = e.classes;
        own.releases |= e.semantics != maskBit(MemoryMask::Acquire);
        own.acquires |= e.semantics != maskBit(MemoryMask::Release);
        told[i] = true;
      }
      if (e.kind == Edit::Kind::kScope && e.word == here) own.scope = true;
      if (e.kind == Edit::Kind::kClasses && e.word == here) own.classes = e.classes;
    }
    if (std::string text = pointText(pair, p, own); !text.empty()) out.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(out, "; "));
}

}  // namespace lanewise
