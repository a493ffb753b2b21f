#include "model/uniform_flow.h"

#include <algorithm>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/patch/local_names.h"
#include "model/spirv/uses.h"

namespace lanewise {
namespace {

using spirv::Instruction;
using spirv::Module;
using spirv::SourceLine;
using spv::Op;

// The variable that a pointer leads to; 0 if it is not known.
std::uint32_t pointerRoot(const Module& m, std::uint32_t pointer) {
  const Instruction* at = m.definition(variableOf(m, pointer));
  return at && at->op == Op::OpVariable ? at->result : 0;
}

bool isUniformBuiltIn(const Module& m, std::uint32_t variable) {
  const auto number = m.decorationNumber(variable, spv::Decoration::BuiltIn);
  if (!number) return false;
  switch (static_cast<spv::BuiltIn>(*number)) {
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::NumWorkgroups:
    case spv::BuiltIn::WorkgroupSize:
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::DeviceIndex:
      return true;
    default:
      return false;
  }
}

}  // namespace

UniformFlow::UniformFlow(const Module& module, const spirv::EntryPoint& entry) : m_(module), varying_(module.bound, false) {
  std::vector<std::uint32_t> work = {entry.function};
  std::set<std::uint32_t> seen(work.begin(), work.end());
  while (!work.empty()) {
    const spirv::FunctionRange* range = m_.function(work.back());
    work.pop_back();
    if (range == nullptr) continue;
    readFunction(*range);
    for (std::size_t i = range->first; i < range->last; ++i)
      if (m_.instructions[i].op == Op::OpFunctionCall && seen.insert(m_.instructions[i].operand(0)).second)
        work.push_back(m_.instructions[i].operand(0));
  }
  for (const Function& f : functions_)
    for (std::size_t i = f.blocks.front().first; i <= f.blocks.back().last; ++i)
      if (m_.instructions[i].op == Op::OpFunctionCall)
        for (Function& callee : functions_)
          if (callee.id == m_.instructions[i].operand(0)) callee.calls.push_back(i);
  do findVarying();
  while (markDivergent());
}

void UniformFlow::readFunction(const spirv::FunctionRange& range) {
  Function f;
  f.id = range.id;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Instruction& inst = m_.instructions[i];
    if (inst.op == Op::OpFunctionParameter) varying_[inst.result] = true;
    if (inst.op == Op::OpLabel) f.blocks.push_back({inst.result, i, i, 0, 0, {}, false});
    if (f.blocks.empty()) continue;
    Block& b = f.blocks.back();
    if (inst.op == Op::OpSelectionMerge || inst.op == Op::OpLoopMerge) b.merge = inst.operand(0);
    if (inst.op == Op::OpLoopMerge) b.continuesAt = inst.operand(1);
    if (std::vector<std::uint32_t> targets = spirv::targetsOf(m_, inst); !targets.empty()) b.next = std::move(targets);
    if (inst.op != Op::OpFunctionEnd) b.last = i;
  }
  if (!f.blocks.empty()) functions_.push_back(std::move(f));
}

bool UniformFlow::varies(const Instruction& inst) const {
  const auto anyOperand = [&] { return std::ranges::any_of(m_.namedBy(inst), [&](std::uint32_t id) { return varying_[id]; }); };
  switch (inst.op) {
    case Op::OpLoad: {
      const std::uint32_t root = pointerRoot(m_, inst.operand(0));
      const Instruction* variable = m_.definition(root);
      if (variable == nullptr || varying_[root] || anyOperand()) return true;
      switch (static_cast<spv::StorageClass>(variable->operand(0))) {
        case spv::StorageClass::Function:
        case spv::StorageClass::Uniform:
        case spv::StorageClass::UniformConstant:
        case spv::StorageClass::PushConstant:
          return false;
        case spv::StorageClass::Input:
          return !isUniformBuiltIn(m_, root);
        default:
          return true;
      }
    }
    case Op::OpVariable:
    case Op::OpLabel:
      return false;
    case Op::OpPhi:
    case Op::OpFunctionCall:
      return true;
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
      return anyOperand();
    default:
      break;
  }
  const bool isPlain = inst.op == Op::OpExtInst || ir::isOfOperands(ir::core(inst.op));
  return !isPlain || anyOperand();
}

void UniformFlow::findVarying() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto set = [&](std::uint32_t id) {
      if (id == 0 || varying_[id]) return;
      varying_[id] = changed = true;
    };
    for (const Function& f : functions_)
      for (const Block& b : f.blocks)
        for (std::size_t i = b.first; i <= b.last; ++i) {
          const Instruction& inst = m_.instructions[i];
          if (inst.result != 0 && inst.type != 0 && !varying_[inst.result] && varies(inst)) set(inst.result);
          const bool differs = f.divergent || b.divergent;
          if (inst.op == Op::OpStore) {
            const Instruction* pointer = m_.definition(inst.operand(0));
            if (differs || varying_[inst.operand(1)] || (pointer && pointer->op != Op::OpVariable && varying_[pointer->result]))
              set(pointerRoot(m_, inst.operand(0)));
          } else if (inst.op != Op::OpLoad && inst.op != Op::OpAccessChain && inst.op != Op::OpInBoundsAccessChain) {
            // Anything else that takes a pointer may write through it.
            for (const std::uint32_t id : m_.namedBy(inst)) {
              const Instruction* variable = m_.definition(pointerRoot(m_, id));
              if (variable && static_cast<spv::StorageClass>(variable->operand(0)) == spv::StorageClass::Function) set(variable->result);
            }
          }
        }
  }
}

std::set<std::uint32_t> UniformFlow::reachable(const Function& f, const std::vector<std::uint32_t>& from,
                                               const std::set<std::uint32_t>& stops) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> work = from;
  while (!work.empty()) {
    const std::uint32_t id = work.back();
    work.pop_back();
    if (stops.contains(id) || !seen.insert(id).second) continue;
    const std::vector<std::uint32_t>& next = blockOf(f, id).next;
    work.insert(work.end(), next.begin(), next.end());
  }
  return seen;
}

bool UniformFlow::hasBarrier(const Function& f, const std::set<std::uint32_t>& blocks) const {
  return std::ranges::any_of(f.blocks, [&](const Block& b) {
    if (!blocks.contains(b.id)) return false;
    for (std::size_t i = b.first; i <= b.last; ++i)
      if (m_.instructions[i].op == Op::OpControlBarrier) return true;
    return false;
  });
}

bool UniformFlow::isVaryingBranch(const Block& b) const {
  const Instruction& end = m_.instructions[b.last];
  return (end.op == Op::OpBranchConditional || end.op == Op::OpSwitch) && varying_[end.operand(0)];
}

bool UniformFlow::mark(Function& f, const std::set<std::uint32_t>& blocks) {
  bool changed = false;
  for (Block& b : f.blocks)
    if (blocks.contains(b.id)) changed |= !std::exchange(b.divergent, true);
  return changed;
}

// What a branch governs, where invocations may take different ways at it.
bool UniformFlow::markDivergent(Function& f, const Block& header) {
  std::set<std::uint32_t> stops;
  if (header.merge != 0 && header.continuesAt == 0) stops.insert(header.merge);
  struct Loop {
    std::set<std::uint32_t> blocks;
    std::uint32_t merge = 0, continuesAt = 0;
  };
  std::vector<Loop> loops;  // around it
  for (const Block& b : f.blocks)
    if (b.continuesAt != 0)
      if (Loop l{reachable(f, {b.id}, {b.merge}), b.merge, b.continuesAt}; l.blocks.contains(header.id)) loops.push_back(std::move(l));
  for (const Loop& l : loops) stops.insert({l.merge, l.continuesAt});
  const std::set<std::uint32_t> region = reachable(f, header.next, stops);
  if (hasBarrier(f, region)) return false;
  std::set<std::uint32_t> out = region;
  const auto leadsTo = [&](std::uint32_t id) {
    const auto has = [&](const std::vector<std::uint32_t>& next) { return std::ranges::count(next, id) != 0; };
    return (header.merge != id && has(header.next)) ||
           std::ranges::any_of(region, [&](std::uint32_t b) { return has(blockOf(f, b).next); });
  };
  const auto add = [&](const std::set<std::uint32_t>& more) { out.insert(more.begin(), more.end()); };
  for (const Loop& l : loops) {
    // The rounds of a loop that some leave, and what those skip that continue.
    if (l.merge != header.merge && leadsTo(l.merge) && !hasBarrier(f, l.blocks)) add(l.blocks);
    if (header.merge != 0 && header.merge != l.continuesAt && leadsTo(l.continuesAt) && l.continuesAt != header.id)
      add(reachable(f, {header.merge}, {l.merge, l.continuesAt}));
  }
  const auto returnsIn = [&](std::uint32_t b) { return ir::sectionOf(m_.instructions[blockOf(f, b).last].op) == ir::Section::kReturn; };
  const bool returns = std::ranges::any_of(region, returnsIn);
  if (returns && header.merge != 0) add(reachable(f, {header.merge}, {}));
  return mark(f, out);
}

bool UniformFlow::markDivergent() {
  bool changed = false;
  for (Function& f : functions_) {
    for (std::size_t i = 0; i < f.blocks.size(); ++i)
      if (isVaryingBranch(f.blocks[i])) changed |= markDivergent(f, f.blocks[i]);
    for (const std::size_t call : f.calls) {
      const Function& caller = functions_[functionAt(call)];
      if (caller.divergent || blockAt(caller, call).divergent) changed |= !std::exchange(f.divergent, true);
    }
  }
  return changed;
}

std::size_t UniformFlow::functionAt(std::size_t instruction) const {
  for (std::size_t f = 0; f < functions_.size(); ++f)
    if (functions_[f].blocks.front().first <= instruction && instruction <= functions_[f].blocks.back().last) return f;
  return functions_.size();
}

const UniformFlow::Block& UniformFlow::blockAt(const Function& f, std::size_t instruction) const {
  return *std::ranges::find_if(f.blocks, [&](const Block& b) { return b.first <= instruction && instruction <= b.last; });
}

const UniformFlow::Block& UniformFlow::blockOf(const Function& f, std::uint32_t id) {
  return *std::ranges::find(f.blocks, id, &Block::id);
}

bool UniformFlow::isUniform(std::size_t instruction) const {
  const std::size_t f = functionAt(instruction);
  return f < functions_.size() && !functions_[f].divergent && !blockAt(functions_[f], instruction).divergent;
}

// Behind the label, the phis and the variables.
std::size_t UniformFlow::firstOf(const Block& b) const {
  std::size_t i = b.first + 1;
  while (i < b.last && (m_.instructions[i].op == Op::OpPhi || m_.instructions[i].op == Op::OpVariable ||
                        m_.instructions[i].op == Op::OpLine || isNonSemantic(m_.setOf(m_.instructions[i]))))
    ++i;
  return i;
}

// A merge instruction and the branch after it stay together.
std::size_t UniformFlow::beforeMerge(const Block& b, std::size_t instruction) const {
  return instruction == b.last && b.merge != 0 ? b.last - 1 : instruction;
}

std::size_t UniformFlow::lineStart(const Block& b, std::size_t instruction) const {
  const std::size_t first = firstOf(b);
  const SourceLine line = m_.instructions[instruction].source;
  std::size_t i = instruction;
  for (std::size_t k = instruction; k > first; --k) {
    const Instruction& before = m_.instructions[k - 1];
    const bool silent = before.op == Op::OpLine || isNonSemantic(m_.setOf(before)) || before.op == Op::OpSelectionMerge;
    if (!silent && (before.source.line != line.line || before.source.file != line.file || line.line == 0)) break;
    if (!silent) i = k - 1;
  }
  return beforeMerge(b, i);
}

std::vector<std::size_t> UniformFlow::before(std::size_t instruction) const {
  const std::size_t at = functionAt(instruction);
  if (at == functions_.size()) return {};
  const Function& f = functions_[at];
  if (f.divergent) {
    std::vector<std::size_t> all;
    for (const std::size_t call : f.calls) std::ranges::copy(before(call), std::back_inserter(all));
    return all;
  }
  const Block* b = &blockAt(f, instruction);
  // The nearest uniform block that all ways lead through: without it the instruction is not reached.
  if (b->divergent) {
    const Block* nearest = nullptr;
    for (const Block& d : f.blocks) {
      if (d.divergent || d.id == b->id || reachable(f, {f.blocks.front().id}, {d.id}).contains(b->id)) continue;
      // Of two such the later one is not needed for the way to the other.
      if (nearest == nullptr || reachable(f, {f.blocks.front().id}, {nearest->id}).count(d.id) == 0) nearest = &d;
    }
    if (nearest == nullptr) return {};
    b = nearest;
    instruction = b->last;
  }
  // A statement of several blocks, as one with `&&` is, begins where the first of them does.
  while (const Block* header = headerOfLine(f, *b, instruction)) {
    b = header;
    instruction = b->last;
  }
  return {lineStart(*b, instruction)};
}

// The block whose choice ends where `b` begins, if all in `b` up to an instruction is of the line that makes the choice.
const UniformFlow::Block* UniformFlow::headerOfLine(const Function& f, const Block& b, std::size_t instruction) const {
  const auto header = std::ranges::find_if(f.blocks, [&](const Block& h) { return h.merge == b.id && h.continuesAt == 0; });
  if (header == f.blocks.end() || header->divergent) return nullptr;
  const std::uint32_t line = m_.instructions[header->last].source.line;
  for (std::size_t i = firstOf(b); i <= instruction; ++i)
    if (const std::uint32_t own = m_.instructions[i].source.line; line == 0 || (own != 0 && own != line)) return nullptr;
  return &*header;
}

std::vector<std::size_t> UniformFlow::after(std::size_t instruction) const {
  const std::size_t at = functionAt(instruction);
  if (at == functions_.size()) return {};
  const Function& f = functions_[at];
  if (f.divergent) {
    std::vector<std::size_t> all;
    for (const std::size_t call : f.calls) std::ranges::copy(after(call), std::back_inserter(all));
    return all;
  }
  const Block& b = blockAt(f, instruction);
  if (!b.divergent) {
    // The next line in the block, or what ends it.
    std::size_t i = instruction;
    while (i < b.last && (m_.instructions[i].source.line == m_.instructions[instruction].source.line ||
                          m_.instructions[i].op == Op::OpLine || isNonSemantic(m_.setOf(m_.instructions[i]))))
      ++i;
    return {beforeMerge(b, i)};
  }
  std::vector<std::size_t> all;
  for (const Block& m : f.blocks) {
    const bool isMerge = std::ranges::any_of(f.blocks, [&](const Block& h) { return h.merge == m.id; });
    if (isMerge && !m.divergent && reachable(f, {b.id}, {}).contains(m.id)) {
      all.push_back(firstOf(m));
      break;
    }
  }
  return all;
}

}  // namespace lanewise
