// Loads, stores and atomics. Every address is compared with the size of what it points into, as the interpreter does: out of range a load
// gives 0, and a store or an atomic does nothing. Lanes at neighbouring addresses are one vector access. Lanes store in order.
#include <algorithm>
#include <functional>

#include "model/compiled/emit.h"

namespace lanewise::compiled {

using ir::Value;

namespace {

// In memory a boolean of workgroup memory is a word.
llvm::Type inMemory(const Builder& b, Scalar type) {
  return type == Scalar::kBool ? b.i32 : b.bitsOf(type);
}

}  // namespace

bool Emitter::windowOf(const ir::Access& access, Value element, Window& out) {
  switch (access.space) {
    case ir::Space::kWorkgroup:
      out = {workgroup_, b_.n64(p_.workgroupBytes)};
      return true;
    case ir::Space::kPush:
      out = {push_, pushBytes_};
      return true;
    case ir::Space::kBuffer:
      if (!isConstant(element) || f_.bitsOf(element) != 0) return false;
      out = windows_[access.resource];
      return true;
    default:
      return false;
  }
}

// So many addresses, from 0 on, are in range: 0 to 2^31.
llvm::Value Emitter::limitOf(const Window& w, const ir::Access& access, std::uint32_t bytes) {
  const llvm::Value left = b_.op(llvm::kSub, w.size, b_.n64(std::uint64_t{access.offset} + bytes - 1));
  const llvm::Value known = b_.intrinsic("llvm.smin", {b_.i64}, {left, b_.n64(std::uint64_t{1} << 31)});
  return b_.intrinsic("llvm.smax", {b_.i64}, {known, b_.n64(0)});
}

llvm::Value Emitter::loadOne(const Window& w, const ir::Access& access, llvm::Value address, llvm::Type type, std::uint32_t bytes) {
  const llvm::Value at = b_.cast(llvm::kZExt, address, b_.i64);
  const llvm::Value inside = b_.compare(llvm::kULess, at, limitOf(w, access, bytes));
  markLoad(w, access, inside, at, bytes);
  return b_.load(type, b_.select(inside, b_.offset(b_.offset(w.data, access.offset), at), zeros_), 1);
}

// A row of a workgroup's invocations usually accesses neighbours, so that is how many lanes are asked about at a time.
Emitter::Runs Emitter::runsOf(llvm::Value offset, llvm::Value inside, std::uint32_t bytes) {
  std::uint32_t length = b_.width;
  while (p_.localSize[0] % length != 0) length /= 2;
  if (length < 4) length = b_.width;
  std::vector<std::uint32_t> first;
  for (std::uint32_t lane = 0; lane < b_.width; ++lane) first.push_back(lane / length * length);
  const llvm::Value behind = b_.each(b_.i32, [&](std::uint32_t lane) { return lane % length * bytes; });
  const llvm::Value near = b_.compare(llvm::kEqual, offset, b_.op(llvm::kAdd, b_.shuffle(offset, first), behind));
  return {b_.all(b_.op(llvm::kAnd, inside, near)), length};
}

std::vector<llvm::Value> Emitter::placesIn(const Runs& runs, llvm::Value base, llvm::Value offset) {
  std::vector<llvm::Value> out;
  for (std::uint32_t lane = 0; lane < b_.width; lane += runs.length)
    out.push_back(b_.offset(base, b_.cast(llvm::kZExt, b_.lane(offset, lane), b_.i64)));
  return out;
}

llvm::Value Emitter::insideOf(const Window& w, const ir::Access& access, llvm::Value address, std::uint32_t bytes) {
  return b_.compare(llvm::kULess, address, b_.splat(b_.cast(llvm::kTrunc, limitOf(w, access, bytes), b_.i32)));
}

llvm::Value Emitter::loadLanes(const Window& w, const ir::Access& access, llvm::Value address, llvm::Type type, std::uint32_t bytes) {
  const llvm::Type all = b_.vector(type);
  const llvm::Block near = b_.block(function_), far = b_.block(function_), on = b_.block(function_);
  const llvm::Value base = b_.offset(w.data, access.offset), valid = insideOf(w, access, address, bytes);
  const Runs runs = runsOf(address, valid, bytes);
  b_.go(runs.are, near, far);
  b_.at(near);
  std::vector<llvm::Value> parts;
  for (const llvm::Value at : placesIn(runs, base, address)) parts.push_back(b_.load(b_.api.VectorType(type, runs.length), at, 1));
  const llvm::Value neighbours = b_.concat(parts, runs.length);
  markRuns(w, access, false, runs, address, bytes);
  const llvm::Block nearEnd = b_.here();
  b_.go(on);
  b_.at(far);
  const llvm::Value inside = b_.op(llvm::kAnd, mask_, valid);
  llvm::Value apart = nullptr;
  if (bytes >= 4) {
    const llvm::Value places = b_.offset(base, address);
    apart = b_.gather(all, places, 1, inside);
    markLoad(w, access, inside, address, bytes);
  } else {
    const llvm::Value results = b_.offset(scratch_, scratchRow() * 8);
    b_.store(b_.zero(all), results, 1);
    forEachLane(inside, address, nullptr, [&](llvm::Value at, llvm::Value lane, llvm::Value) {
      b_.store(b_.load(type, b_.offset(base, at), 1), b_.offset(results, b_.op(llvm::kMul, lane, b_.n64(bytes))), 1);
    });
    apart = b_.load(all, results, 1);
  }
  const llvm::Block end = b_.here();
  b_.go(on);
  b_.at(on);
  return b_.phi(all, {{neighbours, nearEnd}, {apart, end}});
}

// Lane by lane, in order. `body` gets the address, the lane's number, and the lane's element of `value`.
void Emitter::forEachLane(llvm::Value lanes, llvm::Value address, llvm::Value value, const LaneBody& body) {
  b_.store(address, scratch_, 64);
  const llvm::Value values = b_.offset(scratch_, scratchRow() * 4);
  if (value) b_.store(value, values, 1);
  const llvm::Block before = b_.here(), head = b_.block(function_), turn = b_.block(function_), on = b_.block(function_);
  const llvm::Value first = b_.cast(llvm::kBitCast, lanes, b_.lanes);
  b_.go(head);
  b_.at(head);
  const llvm::Value left = b_.phi(b_.lanes, {{first, before}});
  b_.go(b_.compare(llvm::kEqual, left, b_.zero(b_.lanes)), on, turn);
  b_.at(turn);
  const llvm::Value which = b_.intrinsic("llvm.cttz", {b_.lanes}, {left, b_.number(b_.i1, 1)});
  const llvm::Value lane = b_.width == 64 ? which : b_.cast(b_.width < 64 ? llvm::kZExt : llvm::kTrunc, which, b_.i64);
  const llvm::Value at = b_.cast(llvm::kZExt, b_.load(b_.i32, b_.offset(scratch_, b_.op(llvm::kMul, lane, b_.n64(4))), 4), b_.i64);
  llvm::Value own = nullptr;
  if (value) {
    const std::uint32_t bytes = valueBytes_;
    own = b_.load(valueType_, b_.offset(values, b_.op(llvm::kMul, lane, b_.n64(bytes))), 1);
  }
  body(at, lane, own);
  const llvm::Value rest = b_.op(llvm::kAnd, left, b_.op(llvm::kSub, left, b_.number(b_.lanes, 1)));
  const llvm::Block end = b_.here();
  b_.api.AddIncoming(left, const_cast<llvm::Value*>(&rest), const_cast<llvm::Block*>(&end), 1);
  b_.go(head);
  b_.at(on);
}

bool Emitter::load(Value v) {
  const ir::Access& access = p_.accesses[node(v).as<kind::Memory>().access];
  const auto args = f_.args(v);
  Window w;
  if (!isStrict(v) || !windowOf(access, args[1], w)) return false;
  const Scalar type = node(v).type;
  const std::uint32_t bytes = scalarBytes(access.type);
  const llvm::Type stored = inMemory(b_, access.type);
  const bool varying = node(v).varying;
  if (varying && !node(args[0]).varying) return false;
  const llvm::Value word =
      varying ? loadLanes(w, access, get(args[0], true), stored, bytes) : loadOne(w, access, get(args[0], false), stored, bytes);
  if (type == Scalar::kBool) {
    set(v, b_.compare(llvm::kNotEqual, word, b_.zero(b_.vectorIf(varying, stored))));
  } else {
    set(v, isFloat(type) && type != Scalar::kF16 ? b_.cast(llvm::kBitCast, word, b_.typeOf(type, varying)) : word);
  }
  return true;
}

// What is written, as it lies in memory.
llvm::Value Emitter::storedBits(Value v, Scalar type, bool asVarying) {
  if (type != Scalar::kBool) return bits(v, asVarying);
  return b_.cast(llvm::kSExt, get(v, asVarying), b_.vectorIf(asVarying || node(v).varying, b_.i32));
}

bool Emitter::store(Value v) {
  const ir::Access& access = p_.accesses[node(v).as<kind::Memory>().access];
  const auto args = f_.args(v);
  Window w;
  if (!isStrict(v) || !windowOf(access, args[1], w)) return false;
  const std::uint32_t bytes = scalarBytes(access.type);
  const llvm::Value base = b_.offset(w.data, access.offset);
  valueType_ = inMemory(b_, access.type), valueBytes_ = bytes;
  const llvm::Block on = b_.block(function_);
  if (!node(args[0]).varying && !node(args[2]).varying) {
    const llvm::Value at = b_.cast(llvm::kZExt, get(args[0], false), b_.i64);
    const llvm::Value value = storedBits(args[2], access.type, false);
    const llvm::Block write = b_.block(function_);
    b_.go(b_.compare(llvm::kULess, at, limitOf(w, access, bytes)), write, on);
    b_.at(write);
    b_.store(value, b_.offset(base, at), 1);
    markStore(w, access, at, bytes);
    b_.go(on);
    b_.at(on);
    return true;
  }
  const llvm::Value address = get(args[0], true), value = storedBits(args[2], access.type, true);
  const bool full = flow_.together(block_) && allLanes_;
  const llvm::Block far = b_.block(function_);
  const llvm::Value inside = insideOf(w, access, address, bytes);
  if (node(args[0]).varying && (full || bytes >= 4)) {
    const llvm::Block near = b_.block(function_);
    const Runs runs = runsOf(address, inside, bytes);
    b_.go(runs.are, near, far);
    b_.at(near);
    std::uint32_t first = 0;
    for (const llvm::Value at : placesIn(runs, base, address)) {
      const llvm::Value part = b_.shuffle(value, first, 1, runs.length);
      if (full)
        b_.store(part, at, 1);
      else
        b_.storeLanes(part, at, b_.shuffle(mask_, first, 1, runs.length));
      first += runs.length;
    }
    markRuns(w, access, true, runs, address, bytes);
    b_.go(on);
  } else {
    b_.go(far);
  }
  b_.at(far);
  forEachLane(b_.op(llvm::kAnd, mask_, inside), address, value, [&](llvm::Value at, llvm::Value, llvm::Value own) {
    b_.store(own, b_.offset(base, at), 1);
    markStore(w, access, at, bytes);
  });
  b_.go(on);
  b_.at(on);
  return true;
}

// Of what the descriptor has, as the interpreter says it.
bool Emitter::arrayLength(Value v) {
  const auto& [number, offset, stride] = node(v).as<kind::ArrayLength>();
  Window w;
  if (stride == 0 || p_.accesses[number].space != ir::Space::kBuffer || !windowOf(p_.accesses[number], f_.args(v)[1], w)) return false;
  const llvm::Value has = b_.compare(llvm::kUGreater, w.size, b_.n64(offset));
  const llvm::Value bytes = b_.select(has, b_.op(llvm::kSub, w.size, b_.n64(offset)), b_.n64(0));
  const llvm::Value length = b_.cast(llvm::kTrunc, b_.op(llvm::kUDiv, bytes, b_.n64(stride)), b_.i32);
  set(v, node(v).varying ? b_.splat(length) : length);
  return true;
}

// Of 32-bit integers.
bool Emitter::atomic(Value v) {
  const ir::Node& n = node(v);
  const kind::Atomic& what = n.as<kind::Atomic>();
  const ir::Access& access = p_.accesses[what.access];
  const auto args = f_.args(v);
  Window w;
  if (access.type != Scalar::kI32 || !isStrict(v) || !windowOf(access, args[1], w)) return false;
  const ir::Facts& facts = ir::factsOf(what.op);
  const bool exchanges = facts.atomic == ir::AtomicUse::kExchanges;
  if (!exchanges && facts.fold == 0) return false;
  const bool hasValue = what.values > 0, used = p_.laid.slots[v].offset != 0;
  const llvm::Value address = get(args[0], true);
  const llvm::Value base = b_.offset(w.data, access.offset);
  const llvm::Value results = b_.offset(scratch_, scratchRow() * 8);
  const llvm::Type all = b_.vector(b_.i32);
  llvm::Value inside = b_.op(llvm::kAnd, mask_, insideOf(w, access, address, 4));
  const llvm::Value at = b_.op(llvm::kAdd, address, b_.splat(b_.n32(access.offset)));
  const llvm::Value odd = b_.op(llvm::kAnd, at, b_.splat(b_.n32(3)));
  inside = b_.op(llvm::kAnd, inside, b_.compare(llvm::kEqual, odd, b_.zero(all)));
  valueType_ = b_.i32, valueBytes_ = 4;
  const llvm::Value value = hasValue ? get(args[2], true) : nullptr;
  if (used) b_.store(b_.zero(all), results, 64);
  forEachLane(inside, address, value, [&](llvm::Value where, llvm::Value lane, llvm::Value own) {
    const llvm::Value place = b_.offset(base, where);
    const llvm::Value old = b_.load(b_.i32, place, 4);
    b_.store(exchanges ? own : combine(facts.fold, b_.i32, old, own ? own : b_.n32(1)), place, 4);
    if (used) b_.store(old, b_.offset(results, b_.op(llvm::kMul, lane, b_.n64(4))), 4);
  });
  if (used) set(v, b_.load(all, results, 64));
  return true;
}

// Function and private variables in lane memory, of 32 bits or less: word w of a lane is at [w][lane]. Out of range a load gives 0.
bool Emitter::local(Value v) {
  const auto args = f_.args(v);
  const bool stores = node(v).op == ir::kLocalStore;
  const Scalar type = stores ? node(args[1]).type : node(v).type;
  const auto& [firstWord, leaves, leafWords] = p_.code[p_.laid.places[v]].as<kind::LaneMemory>();
  if (isWide(type) || (!stores && !node(v).varying && !lone_) || leaves == 0) return false;
  const llvm::Type words = b_.vector(b_.i32);
  const std::uint64_t row = std::uint64_t{p_.width} * 4;
  llvm::Value base = b_.offset(lanes_, firstWord * row);
  if (lone_) base = b_.offset(base, b_.op(llvm::kMul, lane_, b_.n64(4)));
  const unsigned alignment = lone_ ? 4 : 64;
  const llvm::Value value = stores ? toBits(get(args[1], true), type, true) : nullptr;
  const llvm::Value one = get(args[0], false);
  if (!node(args[0]).varying) {
    const llvm::Value inside = b_.compare(llvm::kULess, one, b_.n32(leaves));
    const llvm::Value index = b_.cast(llvm::kZExt, b_.select(inside, one, b_.n32(0)), b_.i64);
    const llvm::Value at = b_.offset(base, b_.op(llvm::kMul, index, b_.n64(row * leafWords)));
    const llvm::Value old = b_.load(words, at, alignment);
    if (!stores) {
      set(v, fromBits(b_.select(inside, old, b_.zero(words)), type, true));
    } else {
      const llvm::Value active = b_.op(llvm::kAnd, mask_, b_.splat(inside));
      b_.store(b_.select(active, value, old), at, alignment);
    }
    return true;
  }
  const llvm::Value inside = b_.op(llvm::kAnd, mask_, b_.compare(llvm::kULess, one, b_.splat(b_.n32(leaves))));
  const llvm::Value lane = b_.each(b_.i32, [](std::uint32_t k) { return std::uint64_t{k} * 4; });
  const llvm::Value address = b_.op(llvm::kAdd, b_.op(llvm::kMul, one, b_.splat(b_.n32(row * leafWords))), lane);
  if (stores) {
    valueType_ = b_.i32, valueBytes_ = 4;
    forEachLane(inside, address, value, [&](llvm::Value at, llvm::Value, llvm::Value own) { b_.store(own, b_.offset(base, at), 4); });
  } else {
    const llvm::Value safe = b_.select(inside, address, lane);
    set(v, fromBits(b_.gather(words, b_.offset(base, safe), 4, inside), type, true));
  }
  return true;
}

}  // namespace lanewise::compiled
