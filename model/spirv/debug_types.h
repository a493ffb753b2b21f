// The types of a module as its author wrote them: "vec3", "float[4]", "Item". The names are those of the module's source language.
//
// Source: the debug types of debug_set.h. Without these: OpType instructions with OpName and OpMemberName. Promise: any module can be read,
// also one whose debug information refers to itself or to nothing. Gap: for what these instructions cannot describe (an enumeration's
// values, inheritance, template parameters) there is only the name.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "model/spirv/debug_set.h"
#include "model/spirv/source_words.h"
#include "model/spirv/types.h"

namespace lanewise::spirv {

struct DebugType {
  enum class Kind : std::uint8_t { kUnknown, kBasic, kVector, kMatrix, kArray, kComposite, kPointer, kOther };
  Kind kind = Kind::kUnknown;
  std::string name;           // "?" where nothing is known
  std::uint32_t element = 0;  // vectors, matrices (a column), arrays, pointers: index of a type
  std::uint32_t count = 0;    // 0: an array whose length is known when it runs
  struct Member {
    std::string name;
    std::uint32_t type = 0;
  };
  std::vector<Member> members;    // kComposite
  Scalar scalar = Scalar::kNone;  // kBasic
  bool isSigned = false;          // kBasic integers
};

class DebugTypes {
 public:
  DebugTypes(const Module& module, const DebugSet& set) : m_(module), set_(set), types_(1) { types_[0].name.assign(1, '?'); }

  // Must be called before any type is requested. Types are named as in GLSL, except for HLSL, Slang and WGSL.
  void setLanguage(std::uint32_t language) { language_ = language; }

  // The type for the id of a debug type; 0 if there is none.
  std::uint32_t ofDebug(std::uint32_t id, std::uint32_t depth = 0);
  // The type for the id of an OpType.
  std::uint32_t ofSpirv(std::uint32_t id, std::uint32_t depth = 0);

  std::vector<DebugType> take() { return std::move(types_); }

 private:
  std::uint32_t made(std::unordered_map<std::uint32_t, std::uint32_t>& known, std::uint32_t id, DebugType type);
  std::uint32_t debugArray(const DebugEntry& e, std::uint32_t depth);
  DebugType composite(const DebugEntry& e, std::uint32_t depth);
  DebugType basic(const DebugEntry& e) const;
  DebugType spirvType(const Instruction& inst, std::uint32_t depth);
  DebugType structure(const Instruction& inst, std::uint32_t depth);
  DebugType several(DebugType::Kind kind, std::uint32_t element, std::uint32_t count) const;
  std::string scalarName(const Instruction& inst) const;
  static std::optional<std::string_view> glslPrefix(const DebugType& element);
  std::string vectorName(const DebugType& element, std::uint32_t count) const;
  std::string matrixName(const DebugType& column, std::uint32_t count) const;
  std::string arrayName(const std::string& element, std::uint32_t count) const;
  bool isHlsl() const { return language_ == kHlsl || language_ == kSlang; }
  bool isWgsl() const { return language_ == kWgsl; }

  const Module& m_;
  const DebugSet& set_;
  std::uint32_t language_ = 0;
  std::vector<DebugType> types_;  // the first is the unknown one
  std::unordered_map<std::uint32_t, std::uint32_t> debug_, spirv_;
};

}  // namespace lanewise::spirv
