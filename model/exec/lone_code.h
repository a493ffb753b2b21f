// What a lane executes that runs alone on registers of its own (lanes.h): the program's code, which ends where lanes meet, and the rows
// that it takes along from one meeting point to the next.
#pragma once

#include "model/state/batch.h"

namespace lanewise {

class LoneCode {
 public:
  // `base`: the code of the program's batches. Both must outlive it.
  LoneCode(const Program& program, const Instr* base);
  bool isOf(const Program& program, const Instr* base) const { return program_ == &program && base_ == base; }

  // For a lane of a group, where it is worth it. What computes lane by lane does so for this group alone.
  const Instr* code(std::uint32_t group) const { return code_[group].data(); }
  // The instruction itself, where code() ends.
  Handler met(std::uint32_t pc) const { return base_[pc].run; }
  // False if rows would be carried about for longer than instructions are executed: then lanes share their registers.
  bool isWorth() const { return !code_.empty(); }
  // The rows that hold something which is read later: fewest where it is at a meeting point or has just left it.
  const Program::Rows& rowsAt(std::uint32_t pc) const { return live_[pc] ? *live_[pc] : program_->written; }

 private:
  const Program* program_;
  const Instr* base_;
  std::vector<std::vector<Instr>> code_;            // by group; none where that is not worth it
  std::vector<std::optional<Program::Rows>> live_;  // by pc, at meeting points
};

// Registers for a lane that runs alone, and what it executes there. Made for one program after another.
struct LoneRun {
  std::unique_ptr<const LoneCode> code;
  AlignedBytes registers;
};

}  // namespace lanewise
