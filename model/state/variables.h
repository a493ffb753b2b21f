// The variables of a program's source: which are in scope at an instruction, and the value of each one in a lane, with its type. Values are
// read on demand.
//
// Source: spirv/debug_info.h lists the variables, ir/variables.h says where they are. Promise: this works for any module. Without debug
// information or names, variables are named by their ids. Values are those that the lane's own instructions wrote. A faithful program has
// every variable and knows which scalars were never written. A quick one has what its passes left in memory, and reports the rest as gone.
// A variable is in scope after its declaration, in its block and those within, in the copy of its function that runs. Gaps: what a logical
// pointer points to is gone if that is known only when the program runs. Of images and samplers only the resource is known.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "model/spirv/debug_info.h"
#include "model/spirv/declarations.h"
#include "model/state/access.h"

namespace lanewise {

// A variable, in one of the copies of its function that inlining made.
struct SourceVariable {
  std::uint32_t variable = 0;               // index into DebugInfo::variables
  std::uint32_t inlinedAt = 0, caller = 0;  // as in spirv::DebugPlace and ir::Origin
  bool isHidden = false;                    // a variable of an inner block has the same name
  friend bool operator==(const SourceVariable&, const SourceVariable&) = default;
};

// A function of the source at an instruction, with the variables in scope there, from the innermost block outwards.
struct SourceFrame {
  std::uint32_t function = 0;  // index into DebugInfo::scopes
  spirv::SourceLine line;      // the current line, or the line that calls the previous frame
  std::vector<SourceVariable> variables;
};

// Whether all bytes are as memory is before its first store. That is no proof: a store may leave them so (WrittenBytes).
bool isPoison(std::span<const std::byte> bytes);

// Who knows which bytes of the memory that invocations share were ever written. What was not starts as poison.
class WrittenBytes {
 public:
  virtual ~WrittenBytes() = default;
  // Of a resource, or of the memory of a running workgroup of the dispatch. Asked only of bytes that are poison now.
  virtual bool isWritten(Place place, std::uint32_t resource, Extent3 group, std::uint64_t begin, std::uint64_t end) const = 0;
};

// The lane whose variables are read. The batch's environment must be set, as in an event or by Execution::environmentOf().
struct LaneState {
  const Environment* env = nullptr;
  const Batch* batch = nullptr;
  std::uint32_t lane = 0;
  const WrittenBytes* written = nullptr;  // nullptr: memory that others share counts as written
};

// A number, a boolean or an address, in the low bits. A boolean is 0 or 1.
struct ScalarValue {
  enum class State : std::uint8_t {
    kKnown,
    kNotWritten,  // not yet written
    kGone,        // optimised away
    kOutside      // outside of what is bound
  };
  State state = State::kGone;
  Scalar type = Scalar::kNone;
  bool isSigned = false;
  std::uint64_t bits = 0;
  friend bool operator==(const ScalarValue&, const ScalarValue&) = default;
};

class SourceVariables;

// A variable of one lane, or a part of it. Valid as long as the SourceVariables and the state that it was read from.
class LaneValue {
 public:
  // Its type in SPIR-V; nullptr if unknown.
  const Type* type() const { return type_; }
  // Its type as the author wrote it; nullptr if only the SPIR-V type is known.
  const spirv::DebugType* sourceType() const;
  // The number of components, columns, elements or members.
  std::uint64_t count() const;
  LaneValue part(std::uint64_t i) const;
  // For memory that others share: the member or element that contains a byte, counted as in reported accesses (access.h).
  std::optional<std::uint64_t> partAt(std::uint64_t byte) const;
  // The name of a structure's member, as the author wrote it; empty if unknown.
  std::string_view memberName(std::uint64_t i) const;

  bool isScalar() const;
  ScalarValue scalar() const;
  // Where it is. kRecord: in lane memory, recorded for debuggers because no variable of the module has it. kLocal: in a variable of the
  // module in lane memory. kMemory: workgroup memory, push constants or a resource. kOpaque: a descriptor.
  enum class Home : std::uint8_t { kGone, kRecord, kLocal, kMemory, kConstant, kOpaque };
  Home home() const { return home_; }
  // True if all of it is in the lane's own memory, where no other lane writes.
  bool isOwn() const { return home_ == Home::kRecord || home_ == Home::kLocal; }
  // For a value in memory: its first byte, counted as in reported accesses (access.h).
  std::uint64_t byte() const;
  // For a scalar of kLocal: the byte of lane memory with the word that says whether it was written (ir::Note); empty if there is none.
  std::optional<std::uint64_t> noteByte() const;
  // For a value in memory: the index of the job's resource; empty for workgroup memory, push constants and unbound resources.
  std::optional<std::uint32_t> resourceIndex() const;
  bool isWorkgroupMemory() const { return home_ == Home::kMemory && memory_.kind == ir::Pointee::Kind::kWorkgroup; }
  // The index in an array of descriptors.
  std::uint32_t element() const { return memory_.element; }
  // True if the lane's own pointer says where it is: it may point elsewhere at another moment.
  bool isPointedAt() const { return isPointedAt_; }
  // What a device address leads to, the i-th there. Where the address itself is not known nothing there is, for the same reason. Gone: it
  // is no address, or leads to no buffer of the job.
  LaneValue pointee(std::uint64_t i = 0) const;
  // How far apart in bytes those are. Nothing: there is one, or the module does not say it.
  std::optional<std::uint64_t> pointeeStride() const;
  bool isAddress() const { return type_ && type_->kind == Type::Kind::kPointer && isScalar(); }
  // True if no part of it can be read.
  bool isGone() const { return home_ == Home::kGone && missing_ == ScalarValue::State::kGone; }
  // The declaration of an image, sampler or block; nullptr for anything else.
  const ir::ResourceDeclaration* resource() const;

 private:
  friend class SourceVariables;
  LaneValue(const SourceVariables& of, LaneState lane, std::uint32_t debugType) : of_(&of), lane_(lane), debugType_(debugType) {}

  // Of memory that a device address leads to: memory_.index, and memory_.element is the resource of the job.
  static constexpr std::uint32_t kByAddress = ~std::uint32_t{0};
  bool isByAddress() const { return memory_.kind == ir::Pointee::Kind::kBuffer && memory_.index == kByAddress; }

  void toMemory(const ir::Pointee& memory);
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
  bool isPointedAt_ = false;
  ScalarValue::State missing_ = ScalarValue::State::kGone;  // why there is nothing: kGone
  const ir::RecordedVariable* record_ = nullptr;
  const spirv::Constant* constant_ = nullptr;
  ir::Pointee memory_;  // kLocal, kMemory, kOpaque; for kRecord and kConstant only the offset is used, in scalars
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
  // The id of its OpVariable; 0 if it has none.
  std::uint32_t idOf(const SourceVariable& v) const;

  // The functions from the innermost outwards: those that the compiler inlined, and those that SPIR-V calls.
  std::vector<SourceFrame> frames(std::uint32_t pc) const;
  // The module's variables and specialization constants, which are in scope everywhere.
  std::vector<SourceVariable> globals() const;
  LaneValue read(const SourceVariable& v, LaneState lane) const;

 private:
  friend class LaneValue;
  bool isInScope(std::uint32_t variable, const spirv::DebugPlace& place, std::uint32_t instruction, std::uint32_t line) const;
  void inScope(SourceFrame& frame, const spirv::DebugPlace& place, std::uint32_t caller, std::uint32_t instruction) const;
  bool isLeft(const SourceVariable& v, std::uint32_t instruction) const;
  std::uint32_t depthOf(std::uint32_t scope) const;
  void readAlignments();

  const Program& program_;
  spirv::DebugInfo debug_;
  spirv::Declarations declared_;
  std::vector<std::vector<std::uint32_t>> locations_;                // by variable
  std::vector<std::pair<std::uint32_t, std::uint32_t>> constructs_;  // the merge instruction, and the block after the construct
  std::map<std::uint32_t, std::uint64_t> alignments_;                // of what is at device addresses, by the id of a structure
};

}  // namespace lanewise
