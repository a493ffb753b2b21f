// The tables behind reflect.h: types, constants, variables and decorations of a module, by id.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/reflect.h"

namespace lanewise {

struct TypeRow {
  spv::Op op = spv::Op::OpNop;
  std::uint32_t width = 0;    // OpTypeInt, OpTypeFloat
  std::uint32_t element = 0;  // of vectors, matrices, arrays, pointers; the image of a sampled image
  std::uint32_t count = 0;    // components or columns
  std::uint32_t length = 0;   // an array's length, as the id of a constant
  std::vector<std::uint32_t> members;
  std::map<std::uint32_t, std::uint32_t> offsets, matrixStrides;  // by member
  std::set<std::uint32_t> rowMajor;                               // members
  std::uint32_t arrayStride = 0;
  bool bufferBlock = false;
  std::uint32_t imageDim = 0, imageSampled = 0, imageFormat = 0;
  bool imageArrayed = false, imageMultisampled = false;
};

struct VariableRow {
  std::uint32_t storage = 0;
  std::uint32_t pointee = 0;
  std::uint32_t set = 0, binding = 0;
};

// What a function names: variables, and the functions it calls.
struct FunctionRow {
  std::set<std::uint32_t> variables, calls;
};

struct EntryRow {
  std::uint32_t id = 0;
  std::uint32_t model = 0;
  std::string name;
  std::vector<std::uint32_t> interface;
  std::vector<FloatMode> floatModes;
  Extent3 localSize;
  bool localSizeIsIds = false;  // LocalSizeId: the three numbers are ids of constants
};

struct ModuleTables {
  std::vector<std::uint32_t> capabilities;
  std::vector<std::string> extensions;
  std::vector<EntryRow> entries;
  std::map<std::uint32_t, VariableRow> variables;
  std::uint32_t workgroupSize = 0;  // the constant decorated BuiltIn WorkgroupSize

  // Takes one instruction in; nullptr, or what is wrong with it.
  const char* add(spv::Op op, std::span<const std::uint32_t> words);
  // After the last add(): the constants' values with these specialization constants.
  void specialize(std::span<const SpecConstant> spec);
  // The variables that an entry point's function and those that it may call name.
  std::set<std::uint32_t> usedBy(std::uint32_t function) const;

  const TypeRow* type(std::uint32_t id) const;
  std::uint64_t constant(std::uint32_t id) const;  // 0 where unknown
  const std::vector<std::uint32_t>* composite(std::uint32_t id) const;
  std::string name(std::uint32_t id) const;
  std::vector<SpecSlot> specSlots() const;
  // Bytes of a type: with its explicit layout (offsets and strides), or tightly packed. Saturates at 2^32; work and depth are bounded.
  std::uint64_t sizeOf(std::uint32_t type, bool explicitLayout, int depth = 0) const;

 private:
  void addType(spv::Op op, std::span<const std::uint32_t> words);
  void addConstant(spv::Op op, std::span<const std::uint32_t> words);
  void decorate(std::span<const std::uint32_t> words);
  void decorateMember(std::span<const std::uint32_t> words);
  void addEntry(std::span<const std::uint32_t> words);
  void addMode(std::span<const std::uint32_t> words);
  void markUses(spv::Op op, std::span<const std::uint32_t> words);
  std::uint64_t computeSize(const TypeRow& row, bool explicitLayout, int depth) const;
  std::uint64_t structSize(const TypeRow& row, bool explicitLayout, int depth) const;

  std::unordered_map<std::uint32_t, TypeRow> types_;
  std::unordered_map<std::uint32_t, std::uint64_t> constants_;
  std::unordered_map<std::uint32_t, std::uint32_t> constantTypes_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> composites_;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> specIds_;                       // SpecId to its constants: several may share one
  std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> slots_;  // variable to (set, binding)
  mutable std::map<std::pair<std::uint32_t, bool>, std::uint64_t> sizes_;             // sizeOf's memory: each type is computed once
  std::map<std::uint32_t, FunctionRow> functions_;
  std::uint32_t function_ = 0;  // the one whose instructions come now; 0: none
};

}  // namespace lanewise
