// Where a batch stops, and goes on with the next call: see flow.h.
#include "model/compiled/emit.h"
#include "model/compiled/frame.h"

namespace lanewise::compiled {

using ir::Value;

// The steps until the next look are made: others begin, where there are any and nobody has stopped the run.
void Emitter::lookForStop(llvm::Block on) {
  const llvm::Value stop = b_.load(b_.i8, b_.load(b_.pointer, b_.offset(frame_, offsetof(Frame, stop)), 8));
  b_.api.SetVolatile(stop, 1);
  const llvm::Value left = b_.load(b_.i64, steps_, 8), behind = b_.load(b_.i64, stepsBehind_, 8), all = b_.op(llvm::kAdd, left, behind);
  const llvm::Value most = b_.n64(std::uint64_t{kStepsBetweenLooks});
  const llvm::Value some = b_.select(b_.compare(llvm::kSLess, behind, most), behind, most);
  b_.store(b_.op(llvm::kAdd, left, some), steps_, 8);
  b_.store(b_.op(llvm::kSub, behind, some), stepsBehind_, 8);
  const llvm::Value over = b_.compare(llvm::kSLess, all, b_.n64(0)), stopped = b_.compare(llvm::kNotEqual, stop, b_.zero(b_.i8));
  b_.go(b_.op(llvm::kOr, over, stopped), givenUp_, on);
}

// Behind this, values come from their variables.
void Emitter::forgetKnown() {
  for (const Value v : known_) current_[v] = nullptr;
  known_.clear();
}

llvm::Value Emitter::placeOf(Value v) {
  const std::uint32_t least = lone_ ? 8 : 64;
  if (savedAt_[v] == 0) {
    savedAt_[v] = (savedBytes_ += least);
    const std::uint32_t bytes = (node(v).varying ? b_.width : 1) * (isWide(node(v).type) ? 8 : 4);
    savedBytes_ += bytes / 65 * 64;
  }
  return b_.offset(saved_, savedAt_[v] - least);
}

llvm::Value Emitter::placeOfMask(std::uint32_t block) {
  if (savedMaskAt_[block] == 0) savedMaskAt_[block] = (savedBytes_ += 64);
  return b_.offset(saved_, savedMaskAt_[block] - 64);
}

// Returns the stop's number; the next call goes on behind it.
void Emitter::stop(std::uint32_t index) {
  const Stop& stop = flow_.stops[index];
  const auto saveMask = [&](llvm::Value mask, llvm::Value to) { b_.store(b_.cast(llvm::kBitCast, mask, b_.lanes), to, 8); };
  const auto savedMask = [&](llvm::Value from) { return b_.cast(llvm::kBitCast, b_.load(b_.lanes, from, 8), b_.mask); };
  const llvm::Value live = b_.offset(frame_, offsetof(Frame, live));
  if (stop.kind == StopKind::kArguments) {
    const Value v = f_.blocks[block_].nodes[stop.before];
    for (const Value a : f_.args(v)) writeSlot(a, true);
    b_.store(b_.n32(p_.laid.places[v]), b_.offset(frame_, offsetof(Frame, place)), 4);
  }
  llvm::Block on = nullptr;
  if (stop.kind == StopKind::kTellsOrder) {
    const llvm::Block waits = b_.block(function_);
    on = b_.block(function_);
    b_.store(mask_, aheadMask_, 64);
    b_.go(ahead_, waits, on);
    b_.at(waits);
    forgetKnown();
  }
  for (const Value v : stop.live)
    if (variables_[v]) b_.store(toBits(get(v, false), node(v).type, node(v).varying), placeOf(v), node(v).varying ? 64 : 8);
  for (const std::uint32_t c : flow_.waiting[block_]) saveMask(b_.load(b_.mask, masks_[c], 64), placeOfMask(c));
  if (!flow_.together(block_)) saveMask(mask_, placeOfMask(block_));
  if (!allLanes_) saveMask(b_.load(b_.mask, live_, 64), live);
  b_.store(b_.load(b_.i64, steps_, 8), b_.offset(frame_, offsetof(Frame, stepsLeft)), 8);
  b_.store(b_.load(b_.i64, stepsBehind_, 8), b_.offset(frame_, offsetof(Frame, stepsBehind)), 8);
  b_.leave(b_.n32(index + 1));

  b_.at(resumed_[index]);
  forgetKnown();
  for (const Value v : stop.live)
    if (variables_[v])
      b_.store(fromBits(b_.load(b_.vectorIf(node(v).varying, b_.slotOf(node(v).type)), placeOf(v), node(v).varying ? 64 : 8), node(v).type,
                        node(v).varying),
               variables_[v], 64);
  for (const std::uint32_t c : flow_.waiting[block_]) b_.store(savedMask(placeOfMask(c)), masks_[c], 64);
  if (!flow_.together(block_))
    mask_ = savedMask(placeOfMask(block_));
  else if (!allLanes_)
    mask_ = b_.load(b_.mask, live_, 64);
  if (!on) return;
  b_.store(mask_, aheadMask_, 64);
  b_.go(on);
  b_.at(on);
  mask_ = b_.load(b_.mask, aheadMask_, 64);
}

}  // namespace lanewise::compiled
