// Marks of the words that are stored to or loaded, for parts that run side by side (exec/marks.h): a bit each, of the part's own. What is
// marked are buffers that the program stores to, by accesses of whole words. Where no marks are wanted, that is a branch.
#include <algorithm>

#include "model/compiled/emit.h"
#include "model/compiled/frame.h"

namespace lanewise::compiled {

using ir::Value;

void Emitter::findStored() {
  stored_.assign(p_.resources.size(), 0);
  for (const std::uint32_t b : f_.order)
    for (const Value v : f_.blocks[b].nodes) {
      if (node(v).op != ir::kStore) continue;
      const ir::Access& access = p_.accesses[node(v).as<kind::Memory>().access];
      if (access.space == ir::Space::kBuffer) stored_[access.resource] = 1;
    }
}

// Of a program in which atomics tell the order of workgroups, so that workgroups may run ahead (exec/ahead.h).
void Emitter::findGuarded() {
  if (flow_.tellsOrder.empty()) return;
  guarded_.assign(p_.resources.size(), 0);
  for (const std::uint32_t b : f_.order)
    for (const Value v : f_.blocks[b].nodes)
      if (const ir::Code op = node(v).op; op == ir::kStore || op == ir::kAtomic || op == ir::kImageWrite || op == ir::kImageAtomic)
        if (const auto resource = p_.resourceOf(p_.laid.places[v])) guarded_[*resource] = 1;
  guards_ = b_.load(b_.pointer, b_.offset(frame_, offsetof(Frame, guards)), 8);
  ahead_ = b_.compare(llvm::kNotEqual, b_.load(b_.i32, b_.offset(frame_, offsetof(Frame, ahead)), 4), b_.n32(0));
  aheadMask_ = b_.local(b_.mask);
}

void Emitter::guard(Value v) {
  const ir::NodeKind& what = node(v).what;
  const bool accesses =
      std::holds_alternative<kind::Memory>(what) || std::holds_alternative<kind::Atomic>(what) || std::holds_alternative<kind::Image>(what);
  const auto resource = guarded_.empty() || !accesses ? std::nullopt : p_.resourceOf(p_.laid.places[v]);
  if (!resource || !guarded_[*resource] || flow_.tellsOrder[p_.laid.places[v]]) return;
  const llvm::Block on = b_.block(function_);
  b_.go(b_.compare(llvm::kEqual, b_.load(b_.i8, b_.offset(guards_, p_.laid.places[v]), 1), b_.zero(b_.i8)), on, givenUp_);
  b_.at(on);
}

void Emitter::loadMarks(llvm::Value at, Window& w) {
  w.marks = b_.load(b_.pointer, b_.offset(at, offsetof(compiled::Window, marks)), 8);
  w.touched = b_.load(b_.pointer, b_.offset(at, offsetof(compiled::Window, touched)), 8);
  w.first = b_.load(b_.i64, b_.offset(at, offsetof(compiled::Window, first)), 8);
  w.loads = b_.load(b_.i64, b_.offset(at, offsetof(compiled::Window, loads)), 8);
}

// A handler makes this access.
void Emitter::noteUnmarked(Value v) {
  const ir::Code op = node(v).op;
  if (op != ir::kLoad && op != ir::kStore) return;
  const ir::Access& access = p_.accesses[node(v).as<kind::Memory>().access];
  if (access.space == ir::Space::kBuffer && stored_[access.resource]) marks_ = false;
}

// Whether an access of so many bytes a value is marked: to a buffer that the program stores to. Less than a word cannot be.
bool Emitter::marksWords(const Window& w, std::uint32_t bytes) {
  if (w.marks && bytes < 4) marks_ = false;
  return w.marks && bytes >= 4;
}

// Goes on where marks are wanted; the block that follows.
llvm::Block Emitter::whereMarked(const Window& w) {
  const llvm::Block wanted = b_.block(function_), on = b_.block(function_);
  b_.go(b_.compare(llvm::kNotEqual, w.marks, b_.zero(b_.pointer)), wanted, on);
  b_.at(wanted);
  return on;
}

// `words` from the byte `at` of the window on. `lanes`: a bit for each of them; nullptr: all. Words that are not aligned end the run.
void Emitter::mark(const Window& w, bool stores, llvm::Value at, std::uint32_t words, llvm::Value lanes) {
  const llvm::Block aligned = b_.block(function_);
  b_.go(b_.compare(llvm::kEqual, b_.op(llvm::kAnd, at, b_.n64(3)), b_.n64(0)), aligned, givenUp_);
  b_.at(aligned);
  llvm::Value word = b_.op(llvm::kAdd, w.first, b_.op(llvm::kLShr, at, b_.n64(2)));
  if (!stores) word = b_.op(llvm::kAdd, word, w.loads);
  const auto touch = [&](llvm::Value which) {
    const llvm::Value place = b_.op(llvm::kUDiv, which, b_.n64(kMarksTogether));
    b_.store(b_.number(b_.i8, 1), b_.offset(w.touched, place), 1);
  };
  touch(word);
  if (words > 1) touch(b_.op(llvm::kAdd, word, b_.n64(words - 1)));
  // 32 bits at a time, always the same ones: a load gets them from the store before it.
  const llvm::Value place = b_.offset(w.marks, b_.op(llvm::kMul, b_.op(llvm::kUDiv, word, b_.n64(32)), b_.n64(4)));
  const llvm::Value shift = b_.op(llvm::kAnd, word, b_.n64(31));
  const auto add = [&](llvm::Value bits, std::uint32_t which) {
    const llvm::Value to = b_.offset(place, std::uint64_t{which} * 4);
    b_.store(b_.op(llvm::kOr, b_.load(b_.i32, to, 4), b_.cast(llvm::kTrunc, bits, b_.i32)), to, 4);
  };
  for (std::uint32_t first = 0; first < words; first += 32) {
    const std::uint32_t count = std::min(words - first, 32u);
    llvm::Value bits = b_.n64((std::uint64_t{1} << count) - 1);
    if (lanes) {
      const llvm::Value some = b_.cast(llvm::kBitCast, b_.shuffle(lanes, first, 1, count), b_.integer(count));
      bits = b_.cast(llvm::kZExt, some, b_.i64);
    }
    bits = b_.op(llvm::kShl, bits, shift);
    add(bits, first / 32);
    if (count > 1) add(b_.op(llvm::kLShr, bits, b_.n64(32)), first / 32 + 1);
  }
}

// Lanes at neighbouring places; what others than the active ones load does not count.
void Emitter::markRuns(const Window& w, const ir::Access& access, bool stores, const Runs& runs, llvm::Value address, std::uint32_t bytes) {
  if (!marksWords(w, bytes)) return;
  const llvm::Block on = whereMarked(w);
  const bool full = flow_.together(block_) && allLanes_;
  const std::uint32_t each = bytes / 4, words = runs.length * each;
  for (std::uint32_t first = 0; first < b_.width; first += runs.length) {
    const llvm::Value at = b_.op(llvm::kAdd, b_.cast(llvm::kZExt, b_.lane(address, first), b_.i64), b_.n64(access.offset));
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t word = 0; word < words; ++word) lanes.push_back(first + word / each);
    mark(w, stores, at, words, full ? nullptr : b_.shuffle(mask_, lanes));
  }
  b_.go(on);
  b_.at(on);
}

// Of one lane, or of one value.
void Emitter::markStore(const Window& w, const ir::Access& access, llvm::Value at, std::uint32_t bytes) {
  if (!marksWords(w, bytes)) return;
  const llvm::Block on = whereMarked(w);
  mark(w, true, b_.op(llvm::kAdd, at, b_.n64(access.offset)), bytes / 4);
  b_.go(on);
  b_.at(on);
}

// Of one value, or of the lanes that are `inside`.
void Emitter::markLoad(const Window& w, const ir::Access& access, llvm::Value inside, llvm::Value address, std::uint32_t bytes) {
  if (!marksWords(w, bytes)) return;
  const llvm::Block on = whereMarked(w);
  const auto markOne = [&](llvm::Value at) { mark(w, false, b_.op(llvm::kAdd, at, b_.n64(access.offset)), bytes / 4); };
  if (b_.api.TypeOf(inside) == b_.i1) {
    const llvm::Block is = b_.block(function_);
    b_.go(inside, is, on);
    b_.at(is);
    markOne(address);
  } else {
    forEachLane(inside, address, nullptr, [&](llvm::Value at, llvm::Value, llvm::Value) { markOne(at); });
  }
  b_.go(on);
  b_.at(on);
}

}  // namespace lanewise::compiled
