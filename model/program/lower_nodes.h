// Making operations of the intermediate form: where they are appended, which instruction of the module they come from, which step they
// belong to, and the first error. The lowest layer of the lowering (lowering.h).
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/program/block_ways.h"
#include "model/program/lower.h"
#include "model/program/short_list.h"
#include "model/spirv/module.h"

namespace lanewise {

using ir::Value;
using ir::Values;

class NodeMaker {
 protected:
  using Inst = spirv::Instruction;

  NodeMaker(const spirv::Module& module, const LowerOptions& options)
      : m_(module), options_(options), folds_(!options.record && !options.checkIndices), f_(out_.function) {
    f_.blocks.emplace_back();
  }

  // Folds constants, but not to an undefined result, because an observer must be able to see it. With `folds_` it may be an argument, as
  // of x + 0, or an equal operation that has been made. Before the first function an operation is put into the entry block, which comes
  // before everything.
  Value make(ir::Code op, Scalar type, std::span<const Value> args);
  Value make(ir::Code op, Scalar type, std::initializer_list<Value> args) { return make(op, type, std::span(args.begin(), args.size())); }
  // Always appended.
  Value effect(ir::Code op, Scalar type, std::span<const Value> args, ir::NodeKind what = {});
  Value results(Value parent, Scalar type, std::uint32_t index);
  Value constantU32(std::uint32_t value) {
    if (value >= small_.size()) return f_.constant(Scalar::kI32, value);
    Value& known = small_[value];
    if (known == ir::kNoValue) known = f_.constant(Scalar::kI32, value);
    return known;
  }
  std::uint32_t newBlock();
  // So many steps will be lowered.
  void expect(std::size_t steps);

  // What is made from now on comes from this instruction.
  void from(const Inst* inst) {
    inst_ = inst;
    origin_ = 0;
  }
  std::uint32_t origin(std::uint8_t component = 0);

  // Whether an instruction is a step. A call is one when it returns. A declaration is none, so that debug information does not change the
  // count.
  bool isStep(const Inst& inst) const;
  void beginStep() { stepBlocks_.push_back(block_); }
  // Changes the numbers from the order of lowering to that of the blocks. In both, the steps of a block are consecutive.
  void numberSteps();

  // The first error stays.
  void fail(Outcome outcome, std::string what, std::string hint = "");
  void unsupported(const std::string& what) { fail(Outcome::kUnsupported, what + " is not supported"); }

  const spirv::Module& m_;
  const LowerOptions& options_;
  const bool folds_;  // nobody asks for the operations of the module one by one
  Lowered out_;
  ir::Function& f_;
  std::optional<Error> error_;
  const Inst* inst_ = nullptr;
  std::uint32_t block_ = 0;  // where nodes are appended
  BlockWays ways_;
  bool inFunction_ = false;   // false: still before the first function
  std::uint32_t caller_ = 0;  // origin of the call of the function that is lowered; 0: the entry point

 private:
  Value& lastLike(ir::Code op, Scalar type, std::span<const Value> args);

  std::vector<Value> last_ = std::vector<Value>(64);  // by hash: the last operation that make() has made
  std::vector<Value> before_;                         // by operation: the one before it with its place in last_
  std::array<Value, 64> small_{};                     // constantU32() of these
  std::uint32_t origin_ = 0;                          // of inst_, once it was asked for
  std::vector<std::uint32_t> stepBlocks_;             // by step, as they are lowered: the block that it is in
};

}  // namespace lanewise
