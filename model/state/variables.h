// The variables of a program's source: which are in scope at an instruction, and what each one holds in a lane, as typed values that are
// read when they are asked for.
//
// Source: spirv/debug_info.h lists them, ir/variables.h says where they are. Promise: any module can be asked, also one without debug
// information or names, whose variables are called by their ids; values are those that the lane's own instructions left. A faithful program
// has every variable and knows which scalars were never written; a quick one has what its passes left in memory, and says of the rest that
// it is gone. A variable is in scope from where it is declared, in its block and those within, in the copy of its function that runs. Gaps:
// what is behind a pointer that is known only when the program runs is gone; memory that others share is told as it is, written or not; of
// images and samplers the resource alone.
#pragma once

#include <optional>
#include <string_view>

#include "model/spirv/debug_info.h"
#include "model/spirv/declarations.h"
#include "model/state/batch.h"

namespace lanewise {

// A variable, in one of the copies of its function that inlining made.
struct SourceVariable {
  std::uint32_t variable = 0;               // index into DebugInfo::variables
  std::uint32_t inlinedAt = 0, caller = 0;  // as in spirv::DebugPlace and ir::Origin
  bool isHidden = false;                    // a variable further in has its name
  friend bool operator==(const SourceVariable&, const SourceVariable&) = default;
};

// A function of the source at an instruction, with what is in scope there, from the innermost block outwards.
struct SourceFrame {
  std::uint32_t function = 0;  // index into DebugInfo::scopes
  spirv::SourceLine line;      // where it stands, or where it calls the frame before
  std::vector<SourceVariable> variables;
};

// Whose variables. The batch's environment must be there: as in an event, or by Execution::environmentOf().
struct LaneState {
  const Environment* env = nullptr;
  const Batch* batch = nullptr;
  std::uint32_t lane = 0;
};

// A number, a boolean or an address. Its bits stand low; a boolean is 0 or 1.
struct ScalarValue {
  enum class State : std::uint8_t {
    kKnown,
    kNotWritten,  // yet
    kGone,        // optimised away
    kOutside      // of what is bound
  };
  State state = State::kGone;
  Scalar type = Scalar::kNone;
  bool isSigned = false;
  std::uint64_t bits = 0;
  friend bool operator==(const ScalarValue&, const ScalarValue&) = default;
};

class SourceVariables;

// A variable of one lane, or a part of it. Good as long as the SourceVariables and the state that it was asked for.
class LaneValue {
 public:
  // Its shape, as SPIR-V has it; nullptr where nothing is known of it.
  const Type* type() const { return type_; }
  // Its type as the author wrote it; nullptr where only SPIR-V says it.
  const spirv::DebugType* sourceType() const;
  // Components, columns, elements or members.
  std::uint64_t count() const;
  LaneValue part(std::uint64_t i) const;
  // Of memory that others share: the member or element that a byte is in, counted as an access to it is told (access.h).
  std::optional<std::uint64_t> partAt(std::uint64_t byte) const;
  // Of a structure's member, as the author wrote it; empty if unknown.
  std::string_view memberName(std::uint64_t i) const;

  bool isScalar() const;
  ScalarValue scalar() const;
  // Where it is. kRecord: in lane memory, written down for debuggers, as it is in no variable of the module; kLocal: in a variable of the
  // module in lane memory; kMemory: workgroup memory, push constants or a resource; kOpaque: a descriptor.
  enum class Home : std::uint8_t { kGone, kRecord, kLocal, kMemory, kConstant, kOpaque };
  Home home() const { return home_; }
  // True if all of it is in the lane's own memory, where no other lane writes.
  bool isOwn() const { return home_ == Home::kRecord || home_ == Home::kLocal; }
  // Of what is in memory: its first byte there, as an access to it is told (access.h).
  std::uint64_t byte() const;
  // Of a value in memory: which of the job's resources has it; nothing where that is workgroup memory, push constants or not bound.
  std::optional<std::uint32_t> resourceIndex() const;
  bool isWorkgroupMemory() const { return home_ == Home::kMemory && memory_.kind == ir::Memory::Kind::kWorkgroup; }
  // Of an array of descriptors, which.
  std::uint32_t element() const { return memory_.element; }
  // True if there is nothing to read, in any part.
  bool isGone() const { return home_ == Home::kGone; }
  // Of an image, sampler or block; nullptr of anything else.
  const ir::ResourceDeclaration* resource() const;

 private:
  friend class SourceVariables;
  LaneValue(const SourceVariables& of, LaneState lane, std::uint32_t debugType) : of_(&of), lane_(lane), debugType_(debugType) {}

  void toMemory(const ir::Memory& memory);
  void follow();
  void stepMemory(const Type& from, std::uint64_t i);
  std::uint32_t partType(std::uint64_t i) const;
  ScalarValue read() const;
  ScalarValue fromLocal(std::uint32_t local) const;
  ScalarValue fromMemory() const;
  BufferView view() const;
  std::uint32_t word(std::uint64_t index) const;

  const SourceVariables* of_;
  LaneState lane_;
  std::uint32_t debugType_ = 0;
  const Type* type_ = nullptr;
  Home home_ = Home::kGone;
  const ir::RecordedVariable* record_ = nullptr;
  const spirv::Constant* constant_ = nullptr;
  ir::Memory memory_;  // kLocal, kMemory, kOpaque; of kRecord and kConstant only the offset counts, in scalars
  std::uint64_t offset_ = 0;
};

class SourceVariables {
 public:
  // The program must outlive it.
  explicit SourceVariables(const Program& program);

  const Program& program() const { return program_; }
  const spirv::DebugInfo& debug() const { return debug_; }
  const spirv::DebugVariable& of(const SourceVariable& v) const { return debug_.variables[v.variable]; }
  bool isParameter(const SourceVariable& v) const;
  // The id of the OpVariable that it is; 0 if it is none.
  std::uint32_t idOf(const SourceVariable& v) const;

  // From the innermost function outwards: those that the compiler inlined, and those that SPIR-V calls.
  std::vector<SourceFrame> frames(std::uint32_t pc) const;
  // Variables of the module, with its specialization constants. In scope everywhere.
  std::vector<SourceVariable> globals() const;
  LaneValue read(const SourceVariable& v, LaneState lane) const;

 private:
  friend class LaneValue;
  bool isInScope(std::uint32_t variable, const spirv::DebugPlace& place, std::uint32_t instruction, std::uint32_t line) const;
  void inScope(SourceFrame& frame, const spirv::DebugPlace& place, std::uint32_t caller, std::uint32_t instruction) const;
  bool isLeft(const SourceVariable& v, std::uint32_t instruction) const;
  std::uint32_t depthOf(std::uint32_t scope) const;

  const Program& program_;
  spirv::DebugInfo debug_;
  spirv::Declarations declared_;
  std::vector<std::vector<std::uint32_t>> locations_;                // by variable
  std::vector<std::pair<std::uint32_t, std::uint32_t>> constructs_;  // the merge instruction, and the block where it is over
};

}  // namespace lanewise
