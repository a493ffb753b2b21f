// Pointers, local variables, loads, stores, atomics and barriers, with what the module says about each access (lowering.h). The files:
// lower_pointer.cpp, lower_locals.cpp, lower_memory.cpp, lower_order.cpp.
#pragma once

#include <array>

#include "model/program/known_locals.h"
#include "model/program/lower_values.h"

namespace lanewise {

class MemoryLowering : public ValueTable {
 protected:
  MemoryLowering(const spirv::Module& module, const LowerOptions& options);

  // True if the instruction was one of these.
  bool memory(const Inst& inst);
  void barrier(const Inst& inst);
  // An atomic's value and comparator, if it has these.
  std::vector<Val> atomicValues(const Inst& inst);

  // The pointee of an id; empty if it is none that can be followed.
  std::optional<Pointer> pointerOf(std::uint32_t id);
  // The scalars of a value. Those of a pointer are made here.
  Values leavesOf(const Val& v);
  // `visit(pointer, scalar)`.
  template <class Visit>
  void forEachLeaf(const Pointer& p, const Visit& visit);
  Values load(const Pointer& p);
  void store(const Pointer& p, std::span<const Value> leaves);
  Value accessEffect(ir::Code op, Scalar type, std::span<const Value> args, ir::NodeKind what, const Pointer& p, bool write);
  void checkIndices(const Pointer& p);
  // `indices`: the index, and those in front of it that its path has. `path`: 0: none.
  void checkIndex(std::span<const Value> indices, std::uint32_t count, std::uint32_t variable, std::uint32_t path);

  // Built-ins.
  Values loadInput(const Pointer& p);
  Value inputRow(ir::InputRow row);

  // Local variables. A local may have notes: a flag for each leaf, which says whether it is written (ir/variables.h).
  std::uint32_t newLocal(const Type* type, const Inst& inst);
  // Of a pointer's id: the variable that it leads to only holds a value.
  static bool isHeld(const Val& v) { return !v.pointer && v.type->kind != Type::Kind::kPointer; }
  Values heldIn(const Val& v, const Inst& inst);
  void addNotes(std::uint32_t local);
  void note(std::uint32_t local, Value leaf, std::uint32_t note);
  void forgetNotes(std::uint32_t local);
  // When a function is called again, its variables are undefined again: part of the call.
  void forget(const Pointer& variable);
  // What was stored in a local variable that holds an image or a sampler; nullptr: nothing.
  const Val* opaqueIn(std::uint32_t local) const;

  // Order and path (ir/order.h, ir/path.h).
  void setMemoryModel(spv::MemoryModel model) { decoratedOrder_ = model != spv::MemoryModel::VulkanKHR; }
  std::uint32_t imageOrder(std::uint32_t mask, std::span<const std::uint32_t> scopes);
  std::uint32_t atomicOrder(const Inst& inst, const Pointer& p);
  // Adds the decorations of an id that a pointer goes through: a variable, a parameter, an access chain, an index, a loaded descriptor.
  void qualify(Pointer& p, std::uint32_t id);
  void beginPath(Pointer& p, ir::PathStep::Kind kind, std::uint32_t id, ir::PathStep::Layout layout);

  // What locals hold is known, and loads of it are no operations; not with LowerOptions::record. What nobody loads then is not stored.
  void removeUnreadStores();

  bool explicitWorkgroup_ = false;  // workgroup variables are blocks
  KnownLocals known_;

 private:
  template <class Visit>
  void forEachLeafInRow(const Pointer& p, const Visit& visit);
  // lower_memory.cpp
  void accessChain(const Inst& inst);
  void partOfHeld(const Inst& inst, const Val& of);
  const Pointer* plainLocal(std::uint32_t id);
  static void noteLoad(ir::LocalVariable& local, const Inst& inst);
  void loadFrom(const Inst& inst);
  void storeTo(const Inst& inst);
  void arrayLength(const Inst& inst);
  bool atomic(const Inst& inst);
  Pointer step(Pointer p, Value index);
  void keepIndex(Pointer& p, std::uint32_t count, const Val& index);
  Pointer stepStruct(Pointer p, std::uint32_t member);
  static std::uint32_t elementStride(const Pointer& p);
  Value loadLeaf(const Pointer& p, Scalar type);
  void storeLeaf(const Pointer& p, Scalar type, Value v);
  std::uint32_t access(const Pointer& p, Scalar type);
  Values addressArguments(const Pointer& p);
  Value inputLeaf(std::uint32_t builtin, std::uint32_t component);
  // lower_locals.cpp
  Value localIndex(const Pointer& p);
  Value loadLocal(const Pointer& p, Scalar type);
  void storeLocal(const Pointer& p, Value v);
  void storeOpaque(std::uint32_t local, Val v);
  // lower_pointer.cpp
  Values wordsOf(const Pointer& p);
  Value byteOffset(const Pointer& p);
  Value descriptorOf(const Pointer& p);
  bool isDescriptorArray(const Type& type) const;
  Pointer stepDescriptor(Pointer p, Value index);
  Value addressOf(const Pointer& p);
  Pointer advance(Pointer p, Value index, std::uint32_t stride);
  Pointer addBytes(Pointer p, std::uint32_t bytes);
  Value pointerIndex(const Pointer& p, const Val& index);
  void elementOf(Pointer& p, const Type* pointer, const Val& element);
  std::uint32_t strideOf(const Pointer& p, const Type* pointer);
  bool pointerOperation(const Inst& inst);
  // lower_order.cpp
  std::uint32_t orderIndex(const ir::Order& order);
  std::uint32_t memoryOperands(std::span<const std::uint32_t> w);
  static void say(Pointer& p, std::uint32_t operands);
  std::uint32_t accessOrder(const Pointer& p, bool write);
  void copyMemory(const Inst& inst);
  void qualifyMember(Pointer& p, std::uint32_t member);
  void addElement(Pointer& p, std::uint32_t stride, std::uint32_t indexId);
  void addStep(Pointer& p, const Type& type, bool isDescriptor, std::uint32_t stride, std::uint32_t indexId);

  // By pointer type: how what values of it point to is laid out, where the type alone does not say so.
  struct PointeeLayout {
    std::uint32_t matrixStride = 0;
    bool rowMajor = false;
    std::uint32_t componentStride = 0;
    bool operator==(const PointeeLayout&) const = default;
  };
  std::unordered_map<std::uint32_t, PointeeLayout> pointerLayouts_;
  std::unordered_map<std::uint32_t, Val> opaqueLocals_;  // by local variable: the descriptor that is stored in it
  std::map<ir::InputRow, Value> inputs_;
  std::map<std::array<std::uint32_t, 6>, std::uint32_t> accessIndex_;
  std::map<ir::Order, std::uint32_t> orderIndex_;
  std::vector<bool> qualified_;    // by id: it is decorated Coherent, Volatile or NonUniform
  bool decoratedOrder_ = true;     // not the memory model VulkanKHR: decorations say what is coherent and volatile
  std::vector<Value> unwritten_;   // by instruction: what forget() fills its variable with
  std::uint64_t localLeaves_ = 0;  // of all locals
};

// For variables of one invocation, and pointers.
template <class Visit>
void MemoryLowering::forEachLeafInRow(const Pointer& p, const Visit& visit) {
  Pointer leafPointer = p;
  for (std::uint32_t i = 0; i < p.pointee->leaves; ++i) {
    visit(leafPointer, leafScalar(*p.pointee, i));
    leafPointer.offset += leafPointer.offset != 0xffffffffu;  // an offset out of range stays out of range
  }
}

template <class Visit>
void MemoryLowering::forEachLeaf(const Pointer& p, const Visit& visit) {
  if (error_ || p.pointee->leaves == 0) return;  // also for many empty structures
  if (p.pointee->kind == Type::Kind::kScalar) return visit(p, p.pointee->scalar);
  if (p.root == Pointer::Root::kLocal || p.pointee->kind == Type::Kind::kPointer) return forEachLeafInRow(p, visit);
  for (std::uint32_t i = 0; i < p.pointee->constituents(); ++i)
    forEachLeaf(p.pointee->kind == Type::Kind::kStruct ? stepStruct(p, i) : step(p, constantU32(i)), visit);
}

}  // namespace lanewise
