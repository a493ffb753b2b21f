// Control flow, and where values are: see emit.h.
#include <functional>

#include "model/compiled/emit.h"
#include "model/compiled/frame.h"

namespace lanewise::compiled {

using ir::Value;

Emitter::Emitter(const LaidProgram& program, const Flow& flow, const Builder& builder, llvm::Value function)
    : p_(program), f_(program.laid.function), flow_(flow), b_(builder), function_(function), lone_(program.separateLanes) {}

void Emitter::run() {
  variables_.assign(f_.nodes.size(), nullptr);
  current_.assign(f_.nodes.size(), nullptr);
  masks_.assign(f_.blocks.size(), nullptr);
  blocks_.assign(f_.blocks.size(), nullptr);
  savedAt_.assign(f_.nodes.size(), 0);
  savedMaskAt_.assign(f_.blocks.size(), 0);
  findExposedNans();
  allLanes_ = lone_ || (p_.invocations % p_.width == 0 && p_.lanesPerBatch() == p_.width && p_.laneOrder.empty());
  for (const std::uint32_t b : f_.order)
    if (!flow_.together(b) && std::holds_alternative<ir::Return>(f_.blocks[b].end)) allLanes_ = false;
  prologue();
  entries();
  for (const std::uint32_t b : f_.order) block(b);
  b_.at(givenUp_);
  b_.leave(b_.n32(kGivenUp));
}

// What the frame holds, and the function's variables.
void Emitter::prologue() {
  b_.at(b_.block(function_));
  frame_ = b_.api.GetParam(function_, 0);
  const auto field = [&](llvm::Type type, std::size_t offset) { return b_.load(type, b_.offset(frame_, offset), 8); };
  registers_ = field(b_.pointer, offsetof(Frame, registers));
  saved_ = field(b_.pointer, offsetof(Frame, saved));
  workgroup_ = field(b_.pointer, offsetof(Frame, workgroup));
  push_ = field(b_.pointer, offsetof(Frame, push));
  lanes_ = field(b_.pointer, offsetof(Frame, lanes));
  if (lone_) {
    lane_ = b_.cast(llvm::kZExt, b_.load(b_.i32, b_.offset(frame_, offsetof(Frame, lane)), 4), b_.i64);
    whole_ = field(b_.pointer, offsetof(Frame, whole));
    wholeRegisters_ = field(b_.pointer, offsetof(Frame, wholeRegisters));
  }
  pushBytes_ = field(b_.i64, offsetof(Frame, pushBytes));
  batch_ = field(b_.pointer, offsetof(Frame, batch));
  code_ = field(b_.pointer, offsetof(Frame, code));
  zeros_ = b_.offset(frame_, offsetof(Frame, zeros));
  const llvm::Value buffers = field(b_.pointer, offsetof(Frame, buffers));
  windows_.resize(p_.resources.size());
  findStored();
  findGuarded();
  for (const ir::Access& access : p_.accesses) {
    if (access.space != ir::Space::kBuffer || windows_[access.resource].data) continue;
    const llvm::Value at = b_.offset(buffers, std::uint64_t{access.resource} * sizeof(compiled::Window));
    Window& w = windows_[access.resource];
    w = {b_.load(b_.pointer, at, 8), b_.load(b_.i64, b_.offset(at, offsetof(compiled::Window, size)), 8)};
    if (stored_[access.resource]) loadMarks(at, w);
  }
  images_.resize(p_.resources.size());
  const llvm::Value images = field(b_.pointer, offsetof(Frame, images));
  for (const ir::ImageAccess& access : p_.imageAccesses) loadImage(images, access.resource);
  steps_ = b_.local(b_.i64);
  b_.store(field(b_.i64, offsetof(Frame, stepsLeft)), steps_, 8);
  stepsBehind_ = b_.local(b_.i64);
  b_.store(field(b_.i64, offsetof(Frame, stepsBehind)), stepsBehind_, 8);
  live_ = b_.local(b_.mask);
  const llvm::Value live = b_.load(b_.lanes, b_.offset(frame_, offsetof(Frame, live)), 8);
  b_.store(allLanes_ ? b_.ones(b_.mask) : b_.cast(llvm::kBitCast, live, b_.mask), live_, 64);
  scratch_ = b_.local(b_.api.ArrayType(b_.i64, 3 * scratchRow()));
  b_.api.SetAlignment(scratch_, 64);
  for (const std::uint32_t block : f_.order) {
    blocks_[block] = b_.block(function_);
    masks_[block] = b_.local(b_.mask);
    b_.store(b_.zero(b_.mask), masks_[block], 64);
    for (const Value v : f_.blocks[block].nodes) {
      const ir::Node& n = node(v);
      if (!flow_.variable[v] || n.type == Scalar::kNone) continue;
      const llvm::Type type = b_.typeOf(n.type, n.varying);
      variables_[v] = b_.local(type);
      if (n.op == ir::kPhi || n.op == ir::kSticky) b_.store(b_.zero(type), variables_[v], 64);
    }
  }
  for (std::size_t i = 0; i < flow_.stops.size(); ++i) resumed_.push_back(b_.block(function_));
  givenUp_ = b_.block(function_);
}

// Where the batch goes on.
void Emitter::entries() {
  const std::uint32_t first = f_.order[0];
  if (resumed_.empty()) return b_.go(blocks_[first]);
  const llvm::Value resume = b_.load(b_.i32, b_.offset(frame_, offsetof(Frame, resume)), 4);
  const llvm::Value choice = b_.choose(resume, blocks_[first], resumed_.size());
  for (std::uint32_t i = 0; i < resumed_.size(); ++i) b_.api.AddCase(choice, b_.n32(i + 1), resumed_[i]);
}

void Emitter::block(std::uint32_t number) {
  block_ = number;
  b_.at(blocks_[number]);
  const ir::Block& block = f_.blocks[number];
  mask_ = flow_.together(number) ? b_.load(b_.mask, live_, 64) : b_.load(b_.mask, masks_[number], 64);
  if (flow_.together(number) && allLanes_) mask_ = b_.ones(b_.mask);
  b_.store(b_.zero(b_.mask), masks_[number], 64);
  forgetKnown();
  if (const std::uint32_t steps = block.stepCount(); steps != 0)
    b_.store(b_.op(llvm::kSub, b_.load(b_.i64, steps_, 8), b_.n64(steps)), steps_, 8);
  const auto isBehind = [&](std::uint32_t p) { return flow_.position[p] >= flow_.position[number]; };
  if (std::ranges::any_of(block.predecessors, isBehind)) {
    const llvm::Block look = b_.block(function_), on = b_.block(function_);
    b_.go(b_.compare(llvm::kSLess, b_.load(b_.i64, steps_, 8), b_.n64(0)), look, on);
    b_.at(look);
    lookForStop(on);
    b_.at(on);
  }
  auto next = std::ranges::find(flow_.stops, number, &Stop::block);
  for (std::uint32_t i = 0; i <= block.nodes.size(); ++i) {
    for (; next != flow_.stops.end() && next->block == number && next->before == i; ++next)
      stop(static_cast<std::uint32_t>(next - flow_.stops.begin()));
    if (i < block.nodes.size()) instruction(block.nodes[i]);
  }
  moveInto(number);
  end(number);
}

// The phis of the next block, all at once.
void Emitter::moveInto(std::uint32_t number) {
  const ir::Block& block = f_.blocks[number];
  if (block.successorCount() != 1) return;
  const ir::Block& next = f_.blocks[block.successor(0)];
  const auto index = static_cast<std::size_t>(std::ranges::find(next.predecessors, number) - next.predecessors.begin());
  std::vector<std::pair<Value, llvm::Value>> moves;
  for (const Value v : next.nodes)
    if (node(v).op == ir::kPhi && variables_[v]) moves.emplace_back(v, get(f_.args(v)[index], node(v).varying));
  for (const auto& [v, value] : moves) {
    const bool partly = node(v).varying && !flow_.together(number);
    b_.store(partly ? b_.select(mask_, value, b_.load(b_.typeOf(node(v).type, true), variables_[v], 64)) : value, variables_[v], 64);
  }
}

void Emitter::end(std::uint32_t number) {
  const ir::Block& block = f_.blocks[number];
  const Value* condition = block.condition();
  if (!condition) {
    if (const auto* jump = std::get_if<ir::Jump>(&block.end)) return enter(number, {{jump->target, mask_}}, true);
    return finish(number);
  }
  const bool varying = node(*condition).varying;
  if (const auto* branch = std::get_if<ir::Branch>(&block.end)) {
    const llvm::Value yes = get(*condition, false);
    if (!varying) {
      const llvm::Block one = b_.block(function_), other = b_.block(function_);
      b_.go(yes, one, other);
      b_.at(one);
      enter(number, {{branch->whereTrue, mask_}}, true);
      b_.at(other);
      return enter(number, {{branch->whereFalse, mask_}}, true);
    }
    const llvm::Value no = b_.op(llvm::kXor, yes, b_.ones(b_.mask));
    return enter(number, {{branch->whereTrue, b_.op(llvm::kAnd, mask_, yes)}, {branch->whereFalse, b_.op(llvm::kAnd, mask_, no)}}, false);
  }
  const ir::SwitchTable& table = std::get<ir::Switch>(block.end).table;
  const llvm::Value selector = get(*condition, false);
  const llvm::Type type = b_.typeOf(node(*condition).type);
  if (!varying) {
    const llvm::Block otherwise = b_.block(function_);
    const llvm::Value choice = b_.choose(selector, otherwise, table.cases.size());
    std::set<std::uint64_t> seen;
    for (const auto& [literal, target] : table.cases) {
      if (!seen.insert(literal).second) continue;
      const llvm::Block to = b_.block(function_);
      b_.api.AddCase(choice, b_.number(type, literal), to);
      b_.at(to);
      enter(number, {{target, mask_}}, true);
    }
    b_.at(otherwise);
    return enter(number, {{table.otherwise, mask_}}, true);
  }
  std::vector<std::pair<std::uint32_t, llvm::Value>> parts;
  llvm::Value left = mask_;
  for (const auto& [literal, target] : table.cases) {
    const llvm::Value is = b_.compare(llvm::kEqual, selector, b_.splat(b_.number(type, literal)));
    parts.emplace_back(target, b_.op(llvm::kAnd, left, is));
    left = b_.op(llvm::kAnd, left, b_.op(llvm::kXor, is, b_.ones(b_.mask)));
  }
  parts.emplace_back(table.otherwise, left);
  enter(number, parts, false);
}

// Lanes go to wait at blocks, and the nearest of all that wait run. `whole`: all lanes of the block go to one.
void Emitter::enter(std::uint32_t from, std::vector<std::pair<std::uint32_t, llvm::Value>> parts, bool whole) {
  const std::vector<std::uint32_t>& waiting = flow_.waiting[from];
  std::vector<std::uint32_t> all = waiting;
  std::uint32_t last = 0;
  for (const auto& [target, mask] : parts) {
    last = std::max(last, flow_.position[target]);
    const bool shared = std::ranges::find(all, target) != all.end();
    if (!shared) all.push_back(target);
    b_.store(shared ? b_.op(llvm::kOr, b_.load(b_.mask, masks_[target], 64), mask) : mask, masks_[target], 64);
  }
  std::ranges::sort(all, {}, [this](std::uint32_t b) { return flow_.position[b]; });
  std::erase_if(all, [&](std::uint32_t b) { return flow_.position[b] > last; });
  if (whole && all.size() == 1) return b_.go(blocks_[all[0]]);
  for (const std::uint32_t b : all) {
    if (flow_.position[b] == last) return b_.go(blocks_[b]);
    const llvm::Block on = b_.block(function_);
    b_.go(b_.any(b_.load(b_.mask, masks_[b], 64)), blocks_[b], on);
    b_.at(on);
  }
}

// The block's lanes return.
void Emitter::finish(std::uint32_t number) {
  if (!flow_.together(number)) {
    const llvm::Value others = b_.op(llvm::kXor, mask_, b_.ones(b_.mask));
    b_.store(b_.op(llvm::kAnd, b_.load(b_.mask, live_, 64), others), live_, 64);
    for (const std::uint32_t b : flow_.waiting[number]) {
      const llvm::Block on = b_.block(function_);
      b_.go(b_.any(b_.load(b_.mask, masks_[b], 64)), blocks_[b], on);
      b_.at(on);
    }
  }
  const llvm::Value all = b_.op(llvm::kAdd, b_.load(b_.i64, steps_, 8), b_.load(b_.i64, stepsBehind_, 8));
  const llvm::Value over = b_.compare(llvm::kSLess, all, b_.n64(0));
  b_.leave(b_.select(over, b_.n32(kGivenUp), b_.n32(kFinished)));
}

void Emitter::giveUp() {
  b_.go(givenUp_);
  b_.at(b_.block(function_));
}

// --- Values ---------------------------------------------------------------------------------------------------------------------------

llvm::Value Emitter::constant(Value v) const {
  const Scalar type = node(v).type;
  const std::uint64_t bits = node(v).op == ir::kConstant ? f_.bitsOf(v) : 0;
  if (type == Scalar::kBool) return b_.number(b_.i1, bits != 0);
  const llvm::Value whole = b_.number(b_.bitsOf(type), bits);
  return isFloat(type) && type != Scalar::kF16 ? b_.cast(llvm::kBitCast, whole, b_.typeOf(type)) : whole;
}

llvm::Value Emitter::get(Value v, bool asVarying) {
  const ir::Node& n = node(v);
  llvm::Value value = nullptr;
  if (n.op == ir::kConstant || n.op == ir::kUndef) {
    value = constant(v);
  } else if (current_[v]) {
    value = current_[v];
  } else {
    value = n.op == ir::kInput ? readSlot(v, lone_) : b_.load(b_.typeOf(n.type, n.varying), variables_[v], 64);
    current_[v] = value;
    known_.push_back(v);
  }
  return asVarying && !n.varying ? b_.splat(value) : value;
}

llvm::Value Emitter::bits(Value v, bool asVarying) {
  const Scalar type = node(v).type;
  const llvm::Value value = get(v, asVarying);
  return type == Scalar::kF32 || type == Scalar::kF64 ? b_.cast(llvm::kBitCast, value, b_.bitsOf(type, asVarying || node(v).varying))
                                                      : value;
}

void Emitter::set(Value v, llvm::Value value) {
  if (lone_ && b_.api.TypeOf(value) == b_.typeOf(node(v).type, true)) value = b_.lane(value, 0u);
  current_[v] = value;
  known_.push_back(v);
  if (variables_[v]) b_.store(value, variables_[v], 64);
}

// From a register's word, and back: 32 bits, or 64.
llvm::Value Emitter::fromBits(llvm::Value value, Scalar type, bool varying) const {
  const llvm::Type to = b_.typeOf(type, varying);
  switch (type) {
    case Scalar::kBool:
      return b_.compare(llvm::kNotEqual, value, b_.zero(b_.vectorIf(varying, b_.i32)));
    case Scalar::kI8:
    case Scalar::kI16:
    case Scalar::kF16:
      return b_.cast(llvm::kTrunc, value, to);
    case Scalar::kF32:
    case Scalar::kF64:
      return b_.cast(llvm::kBitCast, value, to);
    default:
      return value;
  }
}
llvm::Value Emitter::toBits(llvm::Value value, Scalar type, bool varying) const {
  const llvm::Type to = b_.vectorIf(varying, b_.slotOf(type));
  switch (type) {
    case Scalar::kBool:
      return b_.cast(llvm::kSExt, value, to);
    case Scalar::kI8:
    case Scalar::kI16:
    case Scalar::kF16:
      return b_.cast(llvm::kZExt, value, to);
    case Scalar::kF32:
    case Scalar::kF64:
      return b_.cast(llvm::kBitCast, value, to);
    default:
      return value;
  }
}

// `inWhole`: the place of the lane that runs, where each has its own.
llvm::Value Emitter::slotOf(Value v, bool inWhole) {
  const auto& [offset, step] = p_.laid.slots[v];
  const llvm::Value at = b_.offset(inWhole ? wholeRegisters_ : registers_, offset);
  return inWhole && step != 0 ? b_.offset(at, b_.op(llvm::kMul, lane_, b_.n64(isWide(node(v).type) ? 8 : 4))) : at;
}

llvm::Value Emitter::readSlot(Value v, bool inWhole) {
  const ir::Node& n = node(v);
  const llvm::Type type = b_.vectorIf(n.varying, b_.slotOf(n.type));
  return fromBits(b_.load(type, slotOf(v, inWhole), n.varying ? 64 : 4), n.type, n.varying);
}

// Constants are there already, and inputs where all lanes are. All of a row is written: handlers read it as one vector, which must not wait
// for a store of a part.
void Emitter::writeSlot(Value v, bool inWhole) {
  const ir::Node& n = node(v);
  const auto& [offset, step] = p_.laid.slots[v];
  const bool isThere = n.op == ir::kConstant || n.op == ir::kUndef || (n.op == ir::kInput && (inWhole || !lone_));
  if (offset == 0 || isThere) return;
  const llvm::Value value = toBits(get(v, false), n.type, n.varying);
  if (inWhole && step != 0) return b_.store(value, slotOf(v, true), 4);
  b_.store(n.varying ? value : b_.splat(value, kGroup), slotOf(v, inWhole), 64);
}

void Emitter::instruction(Value v) {
  const ir::Node& n = node(v);
  if (!lone_) guard(v);
  switch (n.op) {
    case ir::kPhi:
    case ir::kConstant:
    case ir::kUndef:
    case ir::kInput:
    case ir::kControlBarrier:
    case ir::kMemoryBarrier:
      return;
    case ir::kSticky:
      if (lone_) return set(v, get(f_.args(v)[0], false));
      return set(v, b_.select(mask_, get(f_.args(v)[0], true), b_.load(b_.typeOf(n.type, true), variables_[v], 64)));
    case ir::kResult:
      if (p_.laid.slots[v].offset != 0 && !current_[v]) set(v, readSlot(v, lone_ && node(f_.args(v)[0]).op == ir::kSubgroup));
      return;
    case ir::kTrapUnreachable:
      return giveUp();
    case ir::kLoad:
      if (load(v)) return;
      break;
    case ir::kStore:
      if (store(v)) return;
      break;
    case ir::kAtomic:
      if (atomic(v)) return;
      break;
    case ir::kSubgroup:
      if (lone_ && n.type != Scalar::kNone && p_.laid.slots[v].offset != 0) set(v, readSlot(v, true));
      if (lone_ || subgroup(v)) return;
      break;
    case ir::kImageRead:
    case ir::kImageReadAdd:
      if (readTexels(v)) return;
      break;
    case ir::kImageWrite:
      if (writeTexels(v)) return;
      break;
    case ir::kImageQuery:
      if (imageSize(v)) return;
      break;
    case ir::kArrayLength:
      if (arrayLength(v)) return;
      break;
    case ir::kLocalLoad:
    case ir::kLocalStore:
      if (local(v)) return;
      break;
    default:
      if (const llvm::Value value = compute(v)) return set(v, value);
      break;
  }
  noteUnmarked(v);
  call(v);
}

}  // namespace lanewise::compiled
