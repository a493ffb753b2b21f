// The types of a module, and the value that each of its ids has while it is lowered (lowering.h).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "model/program/lower_nodes.h"
#include "model/spirv/interface.h"

namespace lanewise {

// A pointer while lowering: what it is rooted in, and how far in it points.
struct Pointer {
  enum class Root : std::uint8_t { kNone, kLocal, kMemory, kOpaque, kInput };
  Root root = Root::kNone;
  const Type* pointee = nullptr;
  std::uint32_t variable = 0;  // id of the OpVariable
  // kLocal: a LocalVariable.
  std::uint32_t local = 0;
  // kLocal: the leaf; kMemory: the byte offset. The constant and the dynamic part; of physical storage `dynamic` is the address.
  std::uint32_t offset = 0;
  Value dynamic = ir::kNoValue;
  // kMemory.
  ir::Space space = ir::Space::kBuffer;
  bool natural = false;  // workgroup memory without explicit layout
  bool wraps = false;    // the whole offset is in `dynamic`, and may go below 0 on its way (ir::kOffset)
  bool readOnly = false;
  MatrixLayout matrix;
  std::uint32_t componentStride = 0;  // of a vector that is a column of a row-major matrix; 0: tight
  // kMemory, kOpaque: the descriptor.
  std::uint32_t resource = 0;
  std::uint32_t elementConstant = 0;
  Value element = ir::kNoValue;
  bool elementPending = false;  // the first index of the next access chain selects the descriptor
  // kInput.
  std::uint32_t builtin = 0;
  // With LowerOptions::checkIndices: those that are not constant, and those that may be beyond the length they index, which is told when
  // the pointer is used.
  struct Index {
    Value index;          // of 32 bits
    std::uint32_t count;  // what may be too few; 0: it is none of them
    std::uint32_t path;   // up to it
  };
  std::vector<Index> indices;
  std::uint32_t path = 0;                                         // ir::PathStep
  std::uint32_t operands = 0;                                     // ir::Order: what the memory operands of the access say,
  std::uint32_t alignedAt = 0;                                    // ... of what begins at this offset
  bool coherent = false, isVolatile = false, nonUniform = false;  // what is decorated so, of all that it went through
};

// A pointer or none, like an optional one, but elsewhere: most values have none, and a module has thousands of values.
class MaybePointer {
 public:
  MaybePointer() = default;
  MaybePointer(const Pointer& p) : p_(std::make_unique<Pointer>(p)) {}
  MaybePointer(const MaybePointer& other) : p_(other ? std::make_unique<Pointer>(*other) : nullptr) {}
  MaybePointer(MaybePointer&&) noexcept = default;
  MaybePointer& operator=(const MaybePointer& other) { return other ? *this = *other : (reset(), *this); }
  MaybePointer& operator=(MaybePointer&&) noexcept = default;
  MaybePointer& operator=(const Pointer& p) {
    p_ ? void(*p_ = p) : void(p_ = std::make_unique<Pointer>(p));
    return *this;
  }
  ~MaybePointer() = default;
  void reset() { p_.reset(); }
  explicit operator bool() const { return p_ != nullptr; }
  Pointer& operator*() { return *p_; }
  const Pointer& operator*() const { return *p_; }
  Pointer* operator->() { return p_.get(); }
  const Pointer* operator->() const { return p_.get(); }

 private:
  std::unique_ptr<Pointer> p_;
};

// The value of a SPIR-V id: the leaves of its type, or a pointer, or (images and samplers) the descriptor it was loaded from. Of a variable
// that only holds a value (held_variables.h), and of pointers into it, that value: its type, and its leaves from there to the end.
struct Val {
  const Type* type = nullptr;
  Values leaves;
  MaybePointer pointer;
  MaybePointer sampler;  // of a sampled image made of two
};

// The values of ids, by where the module defines these. References stay valid.
class ValuesOfIds {
 public:
  explicit ValuesOfIds(const spirv::Module& module) : definitions_(module.definitions), places_(module.instructions.size() + 1) {}
  // nullptr: it has none.
  const Val* find(std::uint32_t id) const { return places_[placeOf(id)]; }
  // Its value, or a new one.
  Val& at(std::uint32_t id) {
    Val*& place = places_[placeOf(id)];
    if (!place) place = &add();
    return *place;
  }
  // The instruction that defines an id; their number, if none does.
  std::size_t placeOf(std::uint32_t id) const {
    return std::min<std::size_t>(id < definitions_.size() ? definitions_[id] : spirv::Module::kNone, places_.size() - 1);
  }
  // From now on it has the value of another one.
  void same(std::uint32_t id, std::uint32_t other) { definitions_[id] = static_cast<std::uint32_t>(placeOf(other)); }

 private:
  Val& add() {
    constexpr std::size_t kSome = 64;
    if (values_.empty() || values_.back().size() == kSome) values_.emplace_back().reserve(kSome);
    return values_.back().emplace_back();
  }

  std::vector<std::uint32_t> definitions_;  // by id, as the module has them
  std::vector<Val*> places_;                // by instruction, the last for ids that none defines; nullptr: no value
  std::vector<std::vector<Val>> values_;    // some in each, which stay where they are
};

class ValueTable : public NodeMaker {
 protected:
  ValueTable(const spirv::Module& module, const LowerOptions& options)
      : NodeMaker(module, options), vals_(module), types_(module.instructions.size() + 1) {}

  Status readDeclarations();
  // Fails where the id is no type, or a type with an unsupported part.
  const Type* typeOf(std::uint32_t id) {
    const Type* const known = types_[vals_.placeOf(id)];
    return known ? known : findType(id);
  }
  const Type* scalarType(Scalar scalar);

  // Fails where the id has no value.
  const Val& val(std::uint32_t id) {
    const Val* const known = vals_.find(id);
    return known ? *known : noValue(id);
  }
  Value scalar(std::uint32_t id) { return leaf(val(id), 0); }
  Value leaf(const Val& v, std::uint32_t i);
  std::optional<std::uint64_t> constantOf(std::uint32_t id);
  Value toIndex(const Val& index);  // any integer, as 32 bits; out of range stays out of range
  // An undefined value, left by an instruction.
  Values undefinedLeaves(const Inst& inst, const Type& type);
  void define(const Inst& inst, Val v);
  void defineLeaves(const Inst& inst, Values leaves);
  void definePointer(const Inst& inst, const Pointer& p);

  spirv::Declarations declared_;
  ValuesOfIds vals_;

 private:
  const Type* findType(std::uint32_t id);
  const Val& noValue(std::uint32_t id);
  void refuse(const Type& type);
  std::vector<const Type*> types_;  // by instruction: those that were asked for
  std::optional<Val> replaced_;     // for an id without a value
  std::map<Scalar, const Type*> scalars_;
};

}  // namespace lanewise
