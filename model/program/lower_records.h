// What debuggers ask for: where the module's variables are, and in the faithful flavour records of what is written (ir/variables.h,
// lowering.h).
#pragma once

#include "model/program/lower_image.h"
#include "model/spirv/debug_info.h"

namespace lanewise {

class RecordLowering : public ImageLowering {
 protected:
  using ImageLowering::ImageLowering;

  void keepVariable(std::uint32_t id, const Pointer& p);

  // With LowerOptions::record. Before the first function.
  void prepareRecords();
  // The start of a copy of a function.
  void beginRecords(const spirv::FunctionRange& range);
  // A location begins after its instruction. But phis stay together, so it is recorded before the next instruction that is not a phi.
  void holdRecords(std::uint32_t instruction);
  void recordHeld();

 private:
  static ir::Pointee memoryOf(const Pointer& p);
  void recordInputs();
  ir::RecordedVariable* recordOf(const spirv::DebugLocation& at);
  void addRecord(const spirv::DebugLocation& at);
  const Type* recordedType(const spirv::DebugLocation& at);
  const Type* typeOfDebug(std::uint32_t type, std::uint32_t depth = 0);
  void record(const spirv::DebugLocation& at);
  void recordLeaf(const ir::RecordedVariable& r, std::uint32_t leaf, Value v, std::uint32_t note);

  spirv::DebugInfo debug_;
  std::vector<std::uint8_t> recorded_;                             // by location of debug_: it needs a record
  std::vector<std::uint32_t> held_;                                // locations whose instructions have passed
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> records_;  // by variable, inlinedAt and caller
};

}  // namespace lanewise
