// Instructions of LLVM on scalars and on vectors of `width` lanes, without their names and repetitions.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "model/compiled/llvm.h"
#include "model/spirv/types.h"

namespace lanewise::compiled {

class Builder {
 public:
  Builder(const llvm::Api& given, llvm::Context context, llvm::Module module, std::uint32_t laneCount)
      : api(given),
        width(laneCount),
        i1(given.IntTypeInContext(context, 1)),
        i8(given.IntTypeInContext(context, 8)),
        i16(given.IntTypeInContext(context, 16)),
        i32(given.IntTypeInContext(context, 32)),
        i64(given.IntTypeInContext(context, 64)),
        f32(given.FloatTypeInContext(context)),
        f64(given.DoubleTypeInContext(context)),
        pointer(given.PointerTypeInContext(context, 0)),
        nothing(given.VoidTypeInContext(context)),
        lanes(given.IntTypeInContext(context, laneCount)),
        mask(given.VectorType(i1, laneCount)),
        context_(context),
        module_(module),
        builder_(given.CreateBuilderInContext(context)) {}
  ~Builder() { api.DisposeBuilder(builder_); }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  const llvm::Api& api;
  const std::uint32_t width;
  const llvm::Type i1, i8, i16, i32, i64, f32, f64, pointer, nothing, lanes, mask;

  llvm::Type integer(std::uint32_t bits) const { return api.IntTypeInContext(context_, bits); }
  llvm::Type vector(llvm::Type of) const { return api.VectorType(of, width); }
  // A half is its bits.
  llvm::Type typeOf(Scalar s) const {
    switch (s) {
      case Scalar::kBool:
        return i1;
      case Scalar::kI8:
        return i8;
      case Scalar::kI16:
      case Scalar::kF16:
        return i16;
      case Scalar::kI64:
        return i64;
      case Scalar::kF32:
        return f32;
      case Scalar::kF64:
        return f64;
      default:
        return i32;
    }
  }
  llvm::Type typeOf(Scalar s, bool varying) const { return varying ? vector(typeOf(s)) : typeOf(s); }
  llvm::Type vectorIf(bool varying, llvm::Type of) const { return varying ? vector(of) : of; }
  // Of a lane in a register of the interpreter.
  llvm::Type slotOf(Scalar s) const { return isWide(s) ? i64 : i32; }
  // The integer of the same size.
  llvm::Type bitsOf(Scalar s) const { return s == Scalar::kF32 ? i32 : s == Scalar::kF64 ? i64 : typeOf(s); }
  llvm::Type bitsOf(Scalar s, bool varying) const { return varying ? vector(bitsOf(s)) : bitsOf(s); }

  // --- Blocks
  llvm::Block block(llvm::Value function) const { return api.AppendBasicBlockInContext(context_, function, ""); }
  void at(llvm::Block block) const { api.PositionBuilderAtEnd(builder_, block); }
  llvm::Block here() const { return api.GetInsertBlock(builder_); }
  void go(llvm::Block to) const { api.BuildBr(builder_, to); }
  void go(llvm::Value condition, llvm::Block yes, llvm::Block no) const { api.BuildCondBr(builder_, condition, yes, no); }
  llvm::Value choose(llvm::Value selector, llvm::Block otherwise, std::size_t cases) const {
    return api.BuildSwitch(builder_, selector, otherwise, static_cast<unsigned>(cases));
  }
  void leave(llvm::Value result) const { api.BuildRet(builder_, result); }
  llvm::Value phi(llvm::Type type, std::initializer_list<std::pair<llvm::Value, llvm::Block>> from) const {
    llvm::Value phi = api.BuildPhi(builder_, type, "");
    for (auto [value, block] : from) api.AddIncoming(phi, &value, &block, 1);
    return phi;
  }

  // --- Constants
  llvm::Value number(llvm::Type type, std::uint64_t value) const { return api.ConstInt(type, value, 0); }
  llvm::Value n32(std::uint64_t value) const { return number(i32, value); }
  llvm::Value n64(std::uint64_t value) const { return number(i64, value); }
  llvm::Value zero(llvm::Type type) const { return api.ConstNull(type); }
  llvm::Value ones(llvm::Type type) const { return api.ConstAllOnes(type); }
  // value(lane) for each lane.
  template <class F>
  llvm::Value each(llvm::Type type, const F& value) const {
    std::vector<llvm::Value> all;
    for (std::uint32_t lane = 0; lane < width; ++lane) all.push_back(number(type, value(lane)));
    return api.ConstVector(all.data(), width);
  }

  // --- Values
  llvm::Value op(llvm::Opcode code, llvm::Value a, llvm::Value b) const { return api.BuildBinOp(builder_, code, a, b, ""); }
  llvm::Value cast(llvm::Opcode code, llvm::Value a, llvm::Type to) const { return api.BuildCast(builder_, code, a, to, ""); }
  llvm::Value compare(llvm::IntCompare how, llvm::Value a, llvm::Value b) const { return api.BuildICmp(builder_, how, a, b, ""); }
  llvm::Value compare(llvm::RealCompare how, llvm::Value a, llvm::Value b) const { return api.BuildFCmp(builder_, how, a, b, ""); }
  llvm::Value negate(llvm::Value a) const { return api.BuildFNeg(builder_, a, ""); }
  llvm::Value select(llvm::Value condition, llvm::Value a, llvm::Value b) const { return api.BuildSelect(builder_, condition, a, b, ""); }
  llvm::Value splat(llvm::Value scalar) const { return splat(scalar, width); }
  llvm::Value splat(llvm::Value scalar, std::uint32_t count) const {
    const llvm::Type type = api.VectorType(api.TypeOf(scalar), count);
    const llvm::Value one = api.BuildInsertElement(builder_, api.GetUndef(type), scalar, n32(0), "");
    return api.BuildShuffleVector(builder_, one, api.GetUndef(type), api.ConstNull(api.VectorType(i32, count)), "");
  }
  llvm::Value lane(llvm::Value of, llvm::Value which) const { return api.BuildExtractElement(builder_, of, which, ""); }
  llvm::Value lane(llvm::Value of, std::uint32_t which) const { return lane(of, n32(which)); }
  // The lanes of `of` in another order.
  llvm::Value shuffle(llvm::Value of, const std::vector<std::uint32_t>& from) const {
    std::vector<llvm::Value> all;
    for (const std::uint32_t lane : from) all.push_back(n32(lane));
    return api.BuildShuffleVector(builder_, of, api.GetUndef(api.TypeOf(of)),
                                  api.ConstVector(all.data(), static_cast<unsigned>(all.size())), "");
  }
  // `count` lanes: the first, and each `step` behind the one before it.
  llvm::Value shuffle(llvm::Value of, std::uint32_t first, std::uint32_t step, std::uint32_t count) const {
    std::vector<std::uint32_t> from;
    for (std::uint32_t i = 0; i < count; ++i) from.push_back(first + i * step);
    return shuffle(of, from);
  }
  // Vectors of `length`, one behind the other; 2^n of them.
  llvm::Value concat(std::vector<llvm::Value> parts, std::uint32_t length) const {
    for (; parts.size() > 1; length *= 2) {
      std::vector<llvm::Value> both, order;
      for (std::uint32_t i = 0; i < 2 * length; ++i) order.push_back(n32(i));
      const llvm::Value all = api.ConstVector(order.data(), 2 * length);
      for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
        both.push_back(api.BuildShuffleVector(builder_, parts[i], parts[i + 1], all, ""));
      parts = std::move(both);
    }
    return parts[0];
  }
  llvm::Value any(llvm::Value of) const { return compare(llvm::kNotEqual, cast(llvm::kBitCast, of, lanes), zero(lanes)); }
  llvm::Value all(llvm::Value of) const { return compare(llvm::kEqual, cast(llvm::kBitCast, of, lanes), ones(lanes)); }

  // --- Memory
  llvm::Value local(llvm::Type type) const { return api.BuildAlloca(builder_, type, ""); }
  llvm::Value load(llvm::Type type, llvm::Value from, unsigned alignment = 1) const {
    const llvm::Value v = api.BuildLoad2(builder_, type, from, "");
    api.SetAlignment(v, alignment);
    return v;
  }
  void store(llvm::Value value, llvm::Value to, unsigned alignment = 1) const {
    api.SetAlignment(api.BuildStore(builder_, value, to), alignment);
  }
  // For the lanes of a mask; of the others zeros are loaded, and nothing is stored. Since LLVM 22 the alignment is no operand.
  llvm::Value gather(llvm::Type type, llvm::Value places, unsigned alignment, llvm::Value lanesOf) const {
    std::vector<llvm::Value> operands = {places, n32(alignment), lanesOf, zero(type)};
    if (api.version >= 22) operands.erase(operands.begin() + 1);
    return intrinsic("llvm.masked.gather", {type, api.TypeOf(places)}, operands);
  }
  void storeLanes(llvm::Value value, llvm::Value to, llvm::Value lanesOf) const {
    std::vector<llvm::Value> operands = {value, to, n32(1), lanesOf};
    if (api.version >= 22) operands.erase(operands.begin() + 2);
    intrinsic("llvm.masked.store", {api.TypeOf(value), pointer}, operands);
  }
  // By bytes; a vector of offsets gives a vector of pointers.
  llvm::Value offset(llvm::Value base, llvm::Value bytes) const { return api.BuildGEP2(builder_, i8, base, &bytes, 1, ""); }
  llvm::Value offset(llvm::Value base, std::uint64_t bytes) const { return offset(base, n64(bytes)); }

  // --- Calls
  llvm::Value call(llvm::Value function, llvm::Type result, std::vector<llvm::Value> arguments) const {
    std::vector<llvm::Type> types;
    for (const llvm::Value a : arguments) types.push_back(api.TypeOf(a));
    const llvm::Type type = api.FunctionType(result, types.data(), static_cast<unsigned>(types.size()), 0);
    return api.BuildCall2(builder_, type, function, arguments.data(), static_cast<unsigned>(arguments.size()), "");
  }
  // "llvm.ctpop", for its overloaded types.
  llvm::Value intrinsic(std::string_view name, std::vector<llvm::Type> types, std::vector<llvm::Value> arguments) const {
    const unsigned id = api.LookupIntrinsicID(name.data(), name.size());
    const llvm::Value function = api.GetIntrinsicDeclaration(module_, id, types.data(), types.size());
    const llvm::Type type = api.IntrinsicGetType(context_, id, types.data(), types.size());
    return api.BuildCall2(builder_, type, function, arguments.data(), static_cast<unsigned>(arguments.size()), "");
  }

 private:
  llvm::Context context_;
  llvm::Module module_;
  llvm::Builder builder_;
};

}  // namespace lanewise::compiled
