// What the interpreter's handlers do: they get the batch's registers and its mask. And operations across the lanes of a subgroup.
#include "model/compiled/emit.h"
#include "model/compiled/frame.h"
#include "model/operations/operations.h"
#include "model/scalar/shuffle.h"

namespace lanewise::compiled {

using ir::Value;
using spv::Op;

// The program executes the row of the table, not one for another profile.
bool Emitter::isStrict(Value v) const {
  const ir::Node& n = node(v);
  if (n.op == ir::kPhi || n.op == ir::kSticky) return true;
  OpKey key = keyOf(f_, v, p_.accesses, p_.imageAccesses);
  if (std::holds_alternative<kind::Image>(n.what)) key = {n.op};
  const OpRow* row = operations().find(key);
  return row && row->quiet == p_.code[p_.laid.places[v]].run;
}

// The batch's mask becomes that of the block.
void Emitter::setMask() {
  const llvm::Value all = b_.cast(llvm::kBitCast, mask_, b_.lanes);
  llvm::Value low = all, high = b_.n64(0);
  if (lone_) {
    const auto bitIn = [&](std::uint64_t word) {
      const llvm::Value is = b_.compare(llvm::kEqual, b_.op(llvm::kLShr, lane_, b_.n64(6)), b_.n64(word));
      return b_.select(is, b_.op(llvm::kShl, b_.n64(1), b_.op(llvm::kAnd, lane_, b_.n64(63))), b_.n64(0));
    };
    low = bitIn(0), high = bitIn(1);
  } else if (b_.width < 64) {
    low = b_.cast(llvm::kZExt, all, b_.i64);
  } else if (b_.width > 64) {
    low = b_.cast(llvm::kTrunc, all, b_.i64);
    high = b_.cast(llvm::kTrunc, b_.op(llvm::kLShr, all, b_.number(b_.lanes, 64)), b_.i64);
  }
  b_.call(b_.load(b_.pointer, b_.offset(frame_, offsetof(Frame, setMask)), 8), b_.nothing, {lone_ ? whole_ : batch_, low, high});
}

void Emitter::call(Value v) {
  const ir::Node& n = node(v);
  const bool inWhole = lone_ && std::holds_alternative<kind::LaneMemory>(p_.code[p_.laid.places[v]].what);
  for (const Value a : f_.args(v)) writeSlot(a, inWhole);
  if (lone_ ? inWhole : !ir::computes(n.op)) setMask();
  const llvm::Value instr = b_.offset(code_, std::uint64_t{p_.laid.places[v]} * sizeof(Instr));
  const llvm::Value handler = b_.load(b_.pointer, b_.offset(instr, offsetof(Instr, run)), 8);
  b_.call(handler, b_.pointer, {instr, inWhole ? whole_ : batch_});
  if (n.type != Scalar::kNone && p_.laid.slots[v].offset != 0) set(v, readSlot(v, inWhole));
}

bool Emitter::subgroup(Value v) {
  const ir::Node& n = node(v);
  if (!isStrict(v)) return false;
  const ir::Makes makes = ir::factsOf(n.as<kind::Subgroup>().op).makes;
  if (makes == ir::Makes::kBallot) return ballot(v);
  if (n.type == Scalar::kNone || !n.varying) return false;
  switch (makes) {
    case ir::Makes::kVote:
    case ir::Makes::kOfFirst:
      return vote(v);
    case ir::Makes::kOfOwn:
      return readBallot(v);
    case ir::Makes::kOfOne:
      return readLane(v);
    case ir::Makes::kFoldOfIntegers:
      return reduce(v);
    default:
      return false;
  }
}

// Of a lane by an operand that is the same for all.
bool Emitter::readLane(Value v) {
  const ir::Source source = ir::factsOf(node(v).as<kind::Subgroup>().op).source;
  const auto args = f_.args(v);
  if (source == ir::Source::kRotated) return false;
  if (!isConstant(args[1])) return source == ir::Source::kLane && broadcast(v);
  const std::uint64_t which = f_.bitsOf(args[1]);
  if (which > 255) return false;
  const std::uint32_t size = p_.subgroupSize;
  std::vector<std::uint32_t> from;
  scalar::withSource(source, size, size, [&](auto sourceOf) {
    for (std::uint32_t lane = 0; lane < b_.width; ++lane) {
      const std::uint32_t in = lane % size, read = sourceOf(in, static_cast<std::uint32_t>(which));
      from.push_back(read < size ? lane - in + read : b_.width);
    }
  });
  if (std::ranges::count(from, b_.width) != 0) return false;
  const llvm::Value value = b_.shuffle(get(args[0], true), from);
  const llvm::Value active = b_.shuffle(mask_, from);
  set(v, b_.select(active, value, b_.zero(b_.typeOf(node(v).type, true))));
  return true;
}

// Integers, whose order of combination does not matter.
bool Emitter::reduce(Value v) {
  const ir::Node& n = node(v);
  const auto& [op, group, arguments] = n.as<kind::Subgroup>();
  const bool scans = group == spv::GroupOperation::InclusiveScan || group == spv::GroupOperation::ExclusiveScan;
  if (!scans && group != spv::GroupOperation::Reduce) return false;
  const ir::Facts& facts = ir::factsOf(op);
  const llvm::Type type = b_.typeOf(n.type, true);
  const std::uint32_t size = p_.subgroupSize;
  const auto fold = [&](llvm::Value a, llvm::Value b) { return combine(facts.fold, type, a, b); };
  const llvm::Value nothing =
      b_.splat(b_.number(b_.typeOf(n.type), ir::identityOf(ir::factsOf(facts.fold).identity, 8 * scalarBytes(n.type))));
  llvm::Value sum = b_.select(mask_, get(f_.args(v)[0], true), nothing);
  // The value of the lane `by` below, nothing where that is in another subgroup.
  const auto below = [&](llvm::Value of, std::uint32_t by) {
    std::vector<std::uint32_t> from;
    for (std::uint32_t lane = 0; lane < b_.width; ++lane) from.push_back(lane % size < by ? lane : lane - by);
    const llvm::Value has = b_.each(b_.i1, [&](std::uint32_t lane) { return std::uint64_t{lane % size >= by}; });
    return b_.select(has, b_.shuffle(of, from), nothing);
  };
  for (std::uint32_t by = 1; by < size; by *= 2) {
    if (scans) {
      sum = fold(below(sum, by), sum);
      continue;
    }
    std::vector<std::uint32_t> from;
    for (std::uint32_t lane = 0; lane < b_.width; ++lane) from.push_back(lane ^ by);
    sum = fold(sum, b_.shuffle(sum, from));
  }
  if (group == spv::GroupOperation::ExclusiveScan) sum = size == 1 ? nothing : below(sum, 1);
  set(v, sum);
  return true;
}

// Of a batch that is one subgroup: what its active lanes say together.
bool Emitter::vote(Value v) {
  if (p_.subgroupSize != b_.width) return false;
  const ir::Node& n = node(v);
  const Op op = n.as<kind::Subgroup>().op;
  const llvm::Value active = b_.cast(llvm::kBitCast, mask_, b_.lanes);
  if (op == Op::OpGroupNonUniformElect) {
    const llvm::Value first = b_.op(llvm::kAnd, active, b_.op(llvm::kSub, b_.zero(b_.lanes), active));
    set(v, b_.cast(llvm::kBitCast, first, b_.mask));
    return true;
  }
  const llvm::Value value = get(f_.args(v)[0], true);
  if (op == Op::OpGroupNonUniformBroadcastFirst) {
    const llvm::Value first = b_.intrinsic("llvm.cttz", {b_.lanes}, {active, b_.number(b_.i1, 1)});
    set(v, b_.splat(b_.lane(value, first)));
    return true;
  }
  const bool all = op == Op::OpGroupNonUniformAll;
  const llvm::Value asked = all ? b_.op(llvm::kXor, value, b_.ones(b_.mask)) : value;
  const llvm::Value any = b_.any(b_.op(llvm::kAnd, mask_, asked));
  set(v, b_.splat(all ? b_.op(llvm::kXor, any, b_.number(b_.i1, 1)) : any));
  return true;
}

// From a lane that is the same for all, in each subgroup of the batch.
bool Emitter::broadcast(Value v) {
  const auto args = f_.args(v);
  const std::uint32_t size = p_.subgroupSize, subgroups = b_.width / size;
  if (b_.width % size != 0 || subgroups > 4 || node(args[1]).varying) return false;
  const llvm::Value which = get(args[1], false), value = get(args[0], true);
  const llvm::Value inside = b_.compare(llvm::kULess, which, b_.n32(size));
  const llvm::Value safe = b_.select(inside, which, b_.n32(0));
  const llvm::Value active = b_.cast(llvm::kBitCast, mask_, b_.lanes), nothing = b_.zero(b_.typeOf(node(v).type));
  std::vector<llvm::Value> all;
  for (std::uint32_t s = 0; s < subgroups; ++s) {
    const llvm::Value from = b_.op(llvm::kAdd, safe, b_.n32(std::uint64_t{s} * size));
    const llvm::Value lane = b_.width == 32 ? from : b_.cast(b_.width < 32 ? llvm::kTrunc : llvm::kZExt, from, b_.lanes);
    const llvm::Value runs = b_.cast(llvm::kTrunc, b_.op(llvm::kLShr, active, lane), b_.i1);
    all.push_back(b_.splat(b_.select(b_.op(llvm::kAnd, inside, runs), b_.lane(value, from), nothing), size));
  }
  set(v, b_.concat(std::move(all), size));
  return true;
}

// Its four words are the results that stand behind it.
bool Emitter::ballot(Value v) {
  if (p_.subgroupSize != b_.width || b_.width > 32) return false;
  const llvm::Value bits = b_.cast(llvm::kBitCast, b_.op(llvm::kAnd, mask_, get(f_.args(v)[0], true)), b_.lanes);
  const llvm::Value word = b_.width < 32 ? b_.cast(llvm::kZExt, bits, b_.i32) : bits;
  for (const Value r : f_.blocks[block_].nodes) {
    if (node(r).op != ir::kResult || f_.args(r)[0] != v) continue;
    const llvm::Value one = node(r).as<kind::Result>().index == 0 ? word : b_.n32(0);
    set(r, node(r).varying ? b_.splat(one) : one);
  }
  return true;
}

// What a lane reads in a ballot of up to 32 lanes, which is one word.
bool Emitter::readBallot(Value v) {
  if (p_.subgroupSize > 32) return false;
  const auto& [op, group, arguments] = node(v).as<kind::Subgroup>();
  const std::uint32_t size = p_.subgroupSize;
  const llvm::Type words = b_.vector(b_.i32);
  const auto number = [&](std::uint64_t n) { return b_.splat(b_.n32(n)); };
  const auto each = [&](const auto& of) { return b_.each(b_.i32, [&](std::uint32_t lane) { return std::uint64_t{of(lane % size)}; }); };
  const llvm::Value no = b_.number(b_.i1, 0);
  llvm::Value word = get(f_.args(v)[0], true);
  if (size < 32) word = b_.op(llvm::kAnd, word, number((std::uint64_t{1} << size) - 1));
  switch (op) {
    case Op::OpGroupNonUniformInverseBallot: {
      const llvm::Value own = each([](std::uint32_t in) { return std::uint32_t{1} << in; });
      set(v, b_.compare(llvm::kNotEqual, b_.op(llvm::kAnd, word, own), b_.zero(words)));
      return true;
    }
    case Op::OpGroupNonUniformBallotBitExtract: {
      const llvm::Value which = get(f_.args(v)[4], true);
      const llvm::Value bit = b_.op(llvm::kAnd, b_.op(llvm::kLShr, word, b_.op(llvm::kAnd, which, number(31))), number(1));
      const llvm::Value inside = b_.compare(llvm::kULess, which, number(size));
      set(v, b_.op(llvm::kAnd, inside, b_.compare(llvm::kNotEqual, bit, b_.zero(words))));
      return true;
    }
    case Op::OpGroupNonUniformBallotBitCount: {
      if (group == spv::GroupOperation::InclusiveScan)
        word = b_.op(llvm::kAnd, word, each([](std::uint32_t in) { return static_cast<std::uint32_t>((std::uint64_t{2} << in) - 1); }));
      if (group == spv::GroupOperation::ExclusiveScan)
        word = b_.op(llvm::kAnd, word, each([](std::uint32_t in) { return (std::uint32_t{1} << in) - 1; }));
      set(v, b_.intrinsic("llvm.ctpop", {words}, {word}));
      return true;
    }
    default: {
      const llvm::Value none = b_.compare(llvm::kEqual, word, b_.zero(words));
      const bool lowest = op == Op::OpGroupNonUniformBallotFindLSB;
      const llvm::Value low = b_.intrinsic("llvm.cttz", {words}, {word, no});
      const llvm::Value high = b_.op(llvm::kSub, number(31), b_.intrinsic("llvm.ctlz", {words}, {word, no}));
      set(v, b_.select(none, lowest ? number(size) : b_.ones(words), lowest ? low : high));
      return true;
    }
  }
}

}  // namespace lanewise::compiled
