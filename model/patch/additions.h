// What an edit adds to a module besides instructions of functions: capabilities with their extensions, ids, decorations, types, constants
// and variables, each where it belongs.
//
// Source: SPIR-V 1.6, 2.4 "Logical Layout of a Module". Gap: modes are patch.cpp's own.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "model/contract/device.h"
#include "model/spirv/module.h"

namespace lanewise {

// Whether it stands behind all decorations.
bool isBehindDecorations(spv::Op op);

class Additions {
 public:
  using Words = std::vector<std::uint32_t>;
  // The module must outlive it.
  explicit Additions(const spirv::Module& module) : m_(module), bound_(module.bound) {}

  std::uint32_t newId() { return bound_++; }
  // Unless the module has the capability; each once. An empty name: there is no extension.
  void require(spv::Capability capability, std::string_view extension);
  void decorate(std::uint32_t id, spv::Decoration decoration, std::initializer_list<std::uint32_t> operands = {});
  void decorateMember(std::uint32_t id, std::uint32_t member, spv::Decoration decoration,
                      std::initializer_list<std::uint32_t> operands = {});
  // A new one.
  std::uint32_t newType(spv::Op op, std::initializer_list<std::uint32_t> operands);
  // The module's own, or a new one; each once.
  std::uint32_t type(spv::Op op, std::initializer_list<std::uint32_t> operands);
  std::uint32_t constant(std::uint32_t value);  // an unsigned integer of 32 bits
  // `id`: of a variable that it replaces; 0: a new one.
  std::uint32_t variable(std::uint32_t pointerType, spv::StorageClass storage, std::uint32_t id = 0);

  // The module with all of these, where `write` appends what becomes of each instruction, and may add more ids.
  ShaderModule with(const std::function<void(const spirv::Instruction&, Words& out)>& write);

 private:
  const spirv::Module& m_;
  std::uint32_t bound_;
  std::map<std::uint32_t, std::uint32_t> constants_;          // by value
  std::map<std::pair<spv::Op, Words>, std::uint32_t> types_;  // by operands
  std::set<spv::Capability> required_;
  Words capabilities_, extensions_, decorations_, globals_;
};

}  // namespace lanewise
