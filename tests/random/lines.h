// Lines of assembly: fresh names, constants that are declared as they are first needed.
#pragma once

#include <fmt/format.h>

#include <map>

#include "tests/random/kernel.h"

namespace lanewise::random {

inline const char* typeName(Width w) {
  static constexpr const char* names[] = {"%bool", "%u8", "%u16", "%u32", "%u64"};
  return names[static_cast<std::size_t>(w)];
}
inline std::uint32_t bits(Width w) {
  static constexpr std::uint32_t widths[] = {1, 8, 16, 32, 64};
  return widths[static_cast<std::size_t>(w)];
}

struct Lines {
  std::string globals, code;
  std::map<std::string, bool> declared;
  std::uint32_t fresh = 0;

  std::string id() { return fmt::format("%t{}", fresh++); }
  void line(const std::string& s) { code += "  " + s + "\n"; }
  void label(const std::string& name) { line(name + " = OpLabel"); }
  std::string make(const std::string& rest) {
    const std::string result = id();
    line(result + " = " + rest);
    return result;
  }
  // An operation on values of one width, whose result has it too.
  template <class... A>
  std::string op(const char* name, Width w, const A&... arguments) {
    std::string rest = fmt::format("{} {}", name, typeName(w));
    ((rest += fmt::format(" {}", arguments)), ...);
    return make(rest);
  }
  // An operation as the tables name it: "OpIAdd", "glsl SMin", "OpIAddCarry.1". spirv-opt folds GLSL.std.450's signed operations by the
  // signedness of the type, so they get signed types.
  std::string applied(const std::string& opcode, const std::string& type, const std::vector<std::string>& operands) {
    const std::string number = opcode.starts_with("glsl ") ? opcode.substr(5) : "";
    const bool isSigned = number.starts_with('S') || number == "FindSMsb";
    const std::string as = isSigned ? "%i" + type.substr(2) : type;
    std::string list;
    for (const std::string& o : operands) list += " " + (isSigned ? make(fmt::format("OpBitcast {} {}", as, o)) : o);
    if (!number.empty()) {
      const std::string value = make(fmt::format("OpExtInst {} %glsl {}{}", as, number, list));
      return isSigned ? make(fmt::format("OpBitcast {} {}", type, value)) : value;
    }
    const std::size_t dot = opcode.find('.');
    if (dot == std::string::npos) return make(fmt::format("{} {}{}", opcode, type, list));
    const std::string pair = make(fmt::format("{} %pair{}", opcode.substr(0, dot), list));
    return make(fmt::format("OpCompositeExtract %u32 {} {}", pair, opcode.substr(dot + 1)));
  }
  std::string constant(Width w, std::uint64_t value) {
    if (w == Width::kBool) return value & 1 ? "%true" : "%false";
    if (w != Width::kU64) value &= (std::uint64_t{1} << bits(w)) - 1;
    const std::string name = fmt::format("%c_{}_{}", typeName(w) + 1, value);
    if (declared.emplace(name, true).second) globals += fmt::format("{} = OpConstant {} {}\n", name, typeName(w), value);
    return name;
  }
  std::string u32(std::uint64_t value) { return constant(Width::kU32, value); }
};

// The value in the range where an operand is defined.
std::string guarded(Lines& out, const std::string& value, Width w, Operation::Guard guard);

// Whether one of the kernel's rewrites is about the operation; a value that the compiler then knows nothing of, by one of the high bits,
// all zero, of the invocation's number; and the operation itself done by others, if it is one for that (else empty).
bool hides(std::uint32_t rewrites, const Operation& operation);
std::string hidden(Lines& out, const std::string& value, Width w, std::uint32_t bit);
std::string otherwise(Lines& out, const Operation& operation, const std::vector<std::string>& operands);

}  // namespace lanewise::random
