// The entry point, control flow and calls. See lower.h.
#include "model/program/lower.h"

#include <fmt/format.h>

#include "model/ir/operation_info.h"
#include "model/operations/profile_rows.h"
#include "model/program/lowering.h"
#include "model/program/passes.h"
#include "model/spirv/abort.h"
#include "model/spirv/uses.h"

namespace lanewise {
namespace {

constexpr std::size_t kMaxNodes = 1u << 23;  // operations of a program after inlining, and steps
constexpr std::uint32_t kMaxCallDepth = 64;

// Types that are not images but may have no scalars: a structure without members, or an array of these.
bool mayBeEmpty(const Type& type) {
  return type.kind == Type::Kind::kStruct || type.kind == Type::Kind::kArray;
}

}  // namespace

Expected<Lowered> Lowering::run() {
  entry_ = m_.computeEntry(options_.entryPoint);
  std::string known;
  for (const spirv::EntryPoint& e : m_.entryPoints)
    if (e.model == spv::ExecutionModel::GLCompute) known += (known.empty() ? "" : ", ") + e.name;
  if (!entry_)
    return Error{Outcome::kBadInput, "no compute entry point named '" + options_.entryPoint + "'", m_.name,
                 known.empty() ? "the module has none" : "it has: " + known};
  if (Status error = readDeclarations()) return *error;
  used_ = spirv::usedIds(m_, entry_->function);
  workgroup_ = spirv::workgroupVariables(m_, declared_, *entry_, used_);
  if (Status error = globals()) return *error;
  for (ir::ResourceDeclaration& r : f_.resources) r.used = used_[r.variable];
  if (!executionModes(*entry_)) return *error_;
  if (options_.record) prepareRecords();
  const spirv::FunctionRange* range = m_.function(entry_->function);
  if (!range) return Error{Outcome::kBadInput, "the entry point's function is missing", m_.name, ""};
  if (std::unordered_map<std::uint32_t, std::size_t> steps; stepsOf(*range, steps) > kMaxNodes)
    return Error{Outcome::kUnsupported, "a program of more than 2^23 instructions after inlining is not supported", m_.name, ""};
  else
    expect(steps[range->id]);
  functionBody(*range, 0, 0, 0);
  if (error_) return *error_;
  if (!options_.record && !options_.checkIndices) removeUnreadStores();  // one out of range is told
  ir::orderBlocks(f_);
  numberSteps();
  fillPhis();
  if (error_) return *error_;
  std::ranges::move(declared_.ownedTypes, std::back_inserter(out_.types));
  return std::move(out_);
}

// The steps of a function and of all that it calls, or kMaxNodes + 1 if there are more. `known` is by function.
std::size_t Lowering::stepsOf(const spirv::FunctionRange& range, std::unordered_map<std::uint32_t, std::size_t>& known) {
  if (const auto it = known.find(range.id); it != known.end()) return it->second;
  const Flow& flow = flowOf(range);
  std::size_t steps = flow.steps;
  for (const std::uint32_t called : flow.calls)
    if (const spirv::FunctionRange* callee = m_.function(called); callee && steps <= kMaxNodes) steps += stepsOf(*callee, known);
  return known[range.id] = std::min(steps, kMaxNodes + 1);
}

Lowering::Label& Lowering::labelOf(std::uint32_t label) {
  const Inst* const inst = m_.definition(label);
  std::uint32_t& at = labelAt_[inst ? static_cast<std::size_t>(inst - m_.instructions.data()) + 1 : 0];
  if (at == 0) {
    at = static_cast<std::uint32_t>(labels_.size());
    labels_.emplace_back();
  }
  return labels_[at];
}

// A function is in one frame at a time, because recursion is refused.
Lowering::Label& Lowering::place(std::uint32_t label) {
  Label& at = labelOf(label);
  if (at.frame != frame_->number) {
    at.frame = frame_->number;
    at.start = at.end = 0;
    at.ends = false;
  }
  return at;
}

std::uint32_t Lowering::blockOf(std::uint32_t label) {
  std::uint32_t& start = place(label).start;
  if (start == 0) start = newBlock();
  return start;
}

// What it returns, where what follows the call is added to the block that returns.
Values Lowering::functionBody(const spirv::FunctionRange& range, std::uint32_t returnBlock, std::uint32_t returnLocal,
                              std::uint32_t caller) {
  Frame frame;
  frame.returnBlock = returnBlock;
  frame.returnLocal = returnLocal;
  frame.number = ++frames_;
  inFunction_ = true;
  const std::uint32_t savedCaller = std::exchange(caller_, caller);
  std::vector<OpenPhi> open;
  Frame* const savedFrame = std::exchange(frame_, &frame);
  std::vector<OpenPhi>* const savedOpen = std::exchange(openPhis_, &open);
  const Inst* const savedInst = inst_;
  bool firstBlock = true, isReached = true;
  const Flow& flow = flowOf(range);
  beginRecords(range);
  for (const auto& [i, steps, hasRow] : flow.code) {
    if (error_) break;
    const Inst& inst = m_.instructions[i];
    if (!isReached && inst.op != spv::Op::OpLabel) continue;
    from(&inst);
    if (inst.op == spv::Op::OpLabel) {
      frame.label = inst.result;
      if (!std::exchange(firstBlock, false)) isReached = beginBlock();  // the function's first block continues the caller's block
    } else if (inst.op != spv::Op::OpFunction && inst.op != spv::Op::OpFunctionParameter && inst.op != spv::Op::OpFunctionEnd) {
      const bool isWork = steps != 0 || inst.op == spv::Op::OpFunctionCall;
      if (options_.record && isWork && inst.op != spv::Op::OpPhi) recordHeld();
      for (std::uint32_t step = 0; step < steps; ++step) beginStep();
      if (!hasRow)
        unsupported(spirv::opName(inst.op));
      else if (steps != 0 || inst.op != spv::Op::OpExtInst)  // others say something about the module
        instruction(inst);
    }
    if (options_.record) holdRecords(i);
    if (f_.nodes.size() > kMaxNodes) fail(Outcome::kUnsupported, "a program of more than 2^23 operations after inlining is not supported");
  }
  const std::uint32_t lastBlock = block_;
  for (const OpenPhi& phiInst : open) {
    if (error_) break;
    from(phiInst.inst);
    for (std::size_t l = 0; l < phiInst.phis.size(); ++l) {
      PendingPhi pending{phiInst.phis[l], {}};
      for (std::size_t w = 0; w + 1 < inst_->operands.size(); w += 2)
        if (const Label at = place(inst_->operands[w + 1]); at.ends) {
          block_ = at.end;  // a pointer becomes a value in its predecessor
          const Values leaves = leavesOf(val(inst_->operands[w]));
          if (l < leaves.size()) pending.incoming.emplace_back(at.end, leaves[l]);
        }
      pendingPhis_.push_back(std::move(pending));
    }
  }
  block_ = lastBlock;
  frame_ = savedFrame;
  openPhis_ = savedOpen;
  caller_ = savedCaller;
  from(savedInst);
  return std::move(frame.returned);
}

// The block of the frame's label. False where no block that is lowered leads there; of later blocks only the back edge's does.
bool Lowering::beginBlock() {
  const Label& at = place(frame_->label);
  const bool isReached = at.start != 0 && ways_.to(at.start).count != 0;
  if (!options_.record && !isReached && at.fromLater <= at.isHeader) return false;
  block_ = blockOf(frame_->label);
  BlockWays::Way& here = ways_.to(block_);
  if (at.fromLater > at.isHeader) here = {};  // not known yet
  // A loop whose rest comes later must not be on the way from the dominator to here.
  const auto isPassed = [&](const Label* h) { return h->lastFrom < at.part || ways_.dominates(h->start, here.dominator); };
  enter(at.fromLater == 0 && (here.count == 1 || std::ranges::all_of(frame_->headers, isPassed)));
  if (at.fromLater != 0) frame_->headers.push_back(&at);
  return true;
}

// `follows`: what locals hold at the end of the block's dominator they hold here, unless something was stored since.
void Lowering::enter(bool follows) {
  ways_.enter(block_);
  if (const BlockWays::Way& here = ways_.to(block_); follows && here.count != 0) known_.follow(block_, here.dominator);
}

void Lowering::instruction(const Inst& inst) {
  switch (inst.op) {
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
    case spv::Op::OpNop:
    case spv::Op::OpAssumeTrueKHR:
      return;
    case spv::Op::OpUndef:
      specConstant(inst);
      return;
    case spv::Op::OpVariable:
      variable(inst);
      return;
    case spv::Op::OpFunctionCall:
      call(inst);
      return;
    case spv::Op::OpPhi:
      phi(inst);
      return;
    case spv::Op::OpSelectionMerge:
      mergeBlock_ = blockOf(inst.operand(0));
      return;
    case spv::Op::OpLoopMerge:
      mergeBlock_ = blockOf(inst.operand(0));
      continueBlock_ = blockOf(inst.operand(1));
      return;
    case spv::Op::OpLoad:  // most of a module, as arithmetic is
    case spv::Op::OpStore:
    case spv::Op::OpAccessChain:
      memory(inst);
      return;
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpVectorShuffle:
      arithmetic(inst.op, inst, inst.operands);
      return;
    default:
      if (inst.op >= spv::Op::OpSNegate && inst.op <= spv::Op::OpBitCount && arithmetic(inst.op, inst, inst.operands)) return;
      if (ir::endsBlock(inst.op)) return terminator(inst);
      if (m_.setOf(inst) != spirv::InstructionSet::kNone) return extended(inst);
      if (image(inst) || memory(inst) || arithmetic(inst.op, inst, inst.operands) || derivative(inst) || subgroup(inst) || clock(inst))
        return;
      unsupported(spirv::opName(inst.op));
  }
}

void Lowering::call(const Inst& inst) {
  const spirv::FunctionRange* range = m_.function(inst.operand(0));
  if (!range) return fail(Outcome::kBadInput, "a call of a function that does not exist");
  if (std::find(functionStack_.begin(), functionStack_.end(), range->id) != functionStack_.end() || functionStack_.size() > kMaxCallDepth)
    return fail(Outcome::kUnsupported, "recursion is not supported");
  std::size_t parameter = 1;
  for (std::uint32_t i = range->first; i < range->last; ++i) {
    const Inst& p = m_.instructions[i];
    if (p.op == spv::Op::OpFunctionParameter) vals_.at(p.result) = val(inst.operand(parameter++));
    if (p.op == spv::Op::OpLabel) break;
  }
  const Type* type = typeOf(inst.type);
  const Flow& flow = flowOf(*range);
  const std::uint32_t after = options_.record || !flow.continues ? newBlock() : kSameBlock;
  const std::uint32_t local = after != kSameBlock ? newLocal(type, inst) : 0;
  const std::uint32_t label = frame_->label;
  beginCallBody(flow, after);
  functionStack_.push_back(range->id);
  Values returned = functionBody(*range, after, local, origin());
  functionStack_.pop_back();
  if (error_) return;
  frame_->label = label;
  if (after != kSameBlock) {
    block_ = after;
    enter(true);
  } else if (f_.blocks[block_].end != ir::BlockEnd{}) {
    block_ = newBlock();  // it does not return
    enter(true);
  }
  beginStep();
  if (type->leaves == 0 && !mayBeEmpty(*type)) return;
  if (after == kSameBlock) return defineLeaves(inst, returned.size() == type->leaves ? std::move(returned) : undefinedLeaves(inst, *type));
  Pointer p;
  p.root = Pointer::Root::kLocal;
  p.local = local;
  p.pointee = type;
  defineLeaves(inst, load(p));
}

// If a function may return early, the call is a construct of its own. Its merge block is what follows the call: there, lanes that return
// out of a loop wait for those that continue. In the faithful flavour a call is always a jump, so that its line has an instruction.
void Lowering::beginCallBody(const Flow& flow, std::uint32_t after) {
  const bool mayReturnEarly = flow.ends > 1;
  if (!mayReturnEarly && !options_.record) return;
  const std::uint32_t body = newBlock();
  ir::Block& b = f_.blocks[block_];
  b.end = ir::Jump{body};
  if (mayReturnEarly) b.merge = after;
  b.origin = origin();
  ways_.lead(block_, body);
  block_ = body;
  enter(true);
}

ir::Switch Lowering::switchOf(const Inst& inst) {
  ir::Switch out{scalar(inst.operand(0)), {{}, blockOf(inst.operand(1))}};
  const Scalar type = f_.nodes[out.condition].type;
  const std::size_t width = isWide(type) ? 2 : 1;
  for (std::size_t i = 2; i + width < inst.operands.size(); i += width + 1) {
    std::uint64_t literal = inst.operands[i];
    if (width == 2) literal |= std::uint64_t{inst.operands[i + 1]} << 32;
    out.table.cases.emplace_back(f_.bitsOf(f_.constant(type, literal)), blockOf(inst.operands[i + width]));
  }
  return out;
}

void Lowering::terminator(const Inst& inst) {
  ir::BlockEnd end;
  switch (inst.op) {
    case spv::Op::OpBranch:
      end = ir::Jump{blockOf(inst.operand(0))};
      break;
    case spv::Op::OpBranchConditional:
      if (const auto taken = decidedBranch(inst, !options_.record))
        end = ir::Jump{blockOf(*taken)};
      else
        end = ir::Branch{scalar(inst.operand(0)), blockOf(inst.operand(1)), blockOf(inst.operand(2))};
      break;
    case spv::Op::OpSwitch:
      end = switchOf(inst);
      if (const auto& [selector, table] = std::get<ir::Switch>(end); !options_.record && f_.isConstant(selector))
        end = ir::Jump{table.targetOf(f_.bitsOf(selector))};
      break;
    case spv::Op::OpUnreachable:
      effect(ir::kTrapUnreachable, Scalar::kNone, {});
      end = ir::Return{};
      break;
    default: {
      if (inst.op == spirv::kAbort) {
        abort(inst);
        end = ir::Return{};
        break;
      }
      if (inst.op == spv::Op::OpReturnValue && frame_->returnBlock == kSameBlock) {
        frame_->returned = leavesOf(val(inst.operand(0)));
      } else if (inst.op == spv::Op::OpReturnValue) {
        Pointer p;
        p.root = Pointer::Root::kLocal;
        p.local = frame_->returnLocal;
        p.pointee = val(inst.operand(0)).type;
        store(p, leavesOf(val(inst.operand(0))));
      }
      if (frame_->returnBlock == kSameBlock) return;  // what follows the call is added to this block
      if (caller_ == 0)
        end = ir::Return{};
      else
        end = ir::Jump{frame_->returnBlock};
    }
  }
  ir::Block& b = f_.blocks[block_];
  b.end = std::move(end);
  b.merge = std::exchange(mergeBlock_, 0);
  b.continueTarget = std::exchange(continueBlock_, 0);
  b.origin = origin();
  for (std::size_t i = 0, count = b.successorCount(); i < count; ++i) ways_.lead(block_, b.successor(i));
  Label& at = place(frame_->label);
  at.end = block_;
  at.ends = true;
}

void Lowering::phi(const Inst& inst) {
  const Type* type = typeOf(inst.type);
  if (type->leaves == 0 && !mayBeEmpty(*type)) return unsupported("OpPhi of opaque values");
  if (!options_.record && place(frame_->label).fromLater == 0)
    for (std::size_t w = 0; w + 1 < inst.operands.size(); w += 2)  // the only way here
      if (const Label& from = place(inst.operands[w + 1]);
          from.ends && from.end == ways_.to(block_).dominator && ways_.to(block_).count == 1)
        return defineLeaves(inst, Values(leavesOf(val(inst.operands[w]))));
  OpenPhi open{&inst, {}};
  for (std::uint32_t l = 0; l < type->leaves; ++l) {
    const Value v = f_.add(ir::kPhi, leafScalar(*type, l), {}, origin(static_cast<std::uint8_t>(l)));
    f_.append(block_, v);
    open.phis.push_back(v);
  }
  define(inst, {type, open.phis, {}, {}});
  openPhis_->push_back(std::move(open));
}

// Called after orderBlocks: phi arguments are in the order of the predecessors.
void Lowering::fillPhis() {
  for (const PendingPhi& p : pendingPhis_) {
    const std::uint32_t b = f_.nodes[p.phi].block;
    const auto& predecessors = f_.blocks[b].predecessors;
    const std::span<Value> args = f_.args(p.phi);
    for (std::size_t i = 0; i < predecessors.size() && i < args.size(); ++i)
      for (const auto& [from, value] : p.incoming)
        if (from == predecessors[i]) args[i] = value;
  }
}

Expected<Lowered> lower(const spirv::Module& module, const LowerOptions& options) {
  const OpRows strict;
  LowerOptions own = options;
  if (!own.rows) own.rows = &strict;
  return Lowering(module, own).run();
}

}  // namespace lanewise
