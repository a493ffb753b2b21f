#include "model/operations/print.h"

#include <cstdio>

#include "model/scalar/half.h"

namespace lanewise {
namespace {

struct Conversion {
  std::string flags;  // flags, width and precision
  std::uint32_t components = 1;
  char letter = 'd';
};

// The conversion behind a '%' at `at`, which moves behind it.
Conversion readConversion(const std::string& format, std::size_t& at) {
  Conversion c;
  const auto next = [&] { return at < format.size() ? format[at] : '\0'; };
  while (next() != '\0' && std::string_view("-+ #0123456789.").find(next()) != std::string_view::npos) c.flags += format[at++];
  if (next() == 'v' && at + 1 < format.size() && format[at + 1] >= '2' && format[at + 1] <= '4') {
    c.components = static_cast<std::uint32_t>(format[at + 1] - '0');
    at += 2;
  }
  while (next() == 'l' || next() == 'h') ++at;
  c.letter = next();
  if (c.letter != '\0') ++at;
  if (c.letter == 'u' && next() == 'l') ++at;  // %ul
  if (c.flags.size() > 16) c.flags.clear();    // no width that fills the memory
  for (std::size_t i = 0, digits = 0; i < c.flags.size(); ++i) {
    digits = c.flags[i] >= '0' && c.flags[i] <= '9' ? digits + 1 : 0;
    if (digits > 2) c.flags.clear();
  }
  return c;
}

double floatOf(const PrintedScalar& s) {
  switch (s.type) {
    case Scalar::kF16:
      return static_cast<double>(scalar::toFloat(scalar::Half{static_cast<std::uint16_t>(s.bits)}));
    case Scalar::kF32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(s.bits)));
    default:
      return std::bit_cast<double>(s.bits);
  }
}

std::string one(const Conversion& c, const PrintedScalar& s) {
  char text[512];  // the largest double has 309 digits, a width and a precision at most 99
  const bool floats = std::string_view("aAeEfFgG").find(c.letter) != std::string_view::npos;
  if (isFloat(s.type)) {
    std::snprintf(text, sizeof text, ("%" + c.flags + (floats ? c.letter : 'f')).c_str(), floatOf(s));
  } else if (s.type == Scalar::kBool) {
    std::snprintf(text, sizeof text, ("%" + c.flags + 'd').c_str(), s.bits != 0 ? 1 : 0);
  } else if (c.letter == 'd' || c.letter == 'i' || floats) {
    const std::uint32_t shift = 64 - 8 * scalarBytes(s.type);
    const auto value = static_cast<long long>(static_cast<std::int64_t>(s.bits << shift) >> shift);
    std::snprintf(text, sizeof text, ("%" + c.flags + "lld").c_str(), value);
  } else {
    const char letter = c.letter == 'p' ? 'x' : c.letter;
    std::snprintf(text, sizeof text, ("%" + c.flags + "ll" + letter).c_str(), static_cast<unsigned long long>(s.bits));
  }
  return (c.letter == 'p' ? "0x" : "") + std::string(text);
}

}  // namespace

std::string formatted(const ir::Print& print, const std::vector<PrintedScalar>& scalars) {
  std::string out;
  std::size_t argument = 0, scalar = 0;
  for (std::size_t at = 0; at < print.format.size();) {
    const char c = print.format[at++];
    if (c != '%') {
      out += c;
      continue;
    }
    if (at < print.format.size() && print.format[at] == '%') {
      out += print.format[at++];
      continue;
    }
    const std::size_t start = at - 1;
    const Conversion conversion = readConversion(print.format, at);
    const bool known = std::string_view("diuoxXaAeEfFgGp").find(conversion.letter) != std::string_view::npos && conversion.letter != '\0';
    if (!known || argument >= print.arguments.size()) {
      out += print.format.substr(start, at - start);
      continue;
    }
    const std::uint32_t count = print.arguments[argument++].count;
    for (std::uint32_t i = 0; i < count && scalar + i < scalars.size(); ++i)
      if (i < std::max(conversion.components, count)) out += (i == 0 ? "" : ", ") + one(conversion, scalars[scalar + i]);
    scalar += count;
  }
  return out;
}

void printLines(const Instr* instr, Batch& s) {
  const Program& program = *s.env->program;
  const ir::Print& print = program.prints[instr->imm];
  const Operand* operands = program.operands.data() + instr->extra;
  std::size_t count = 0;
  for (const ir::Print::Argument& a : print.arguments) count += a.count;
  const std::uint32_t first = s.index * (program.separateLanes ? program.subgroupSize : program.width);
  const std::uint32_t* size = program.localSize;
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.mask.test(lane)) continue;
    if (s.env->printed->lines.size() >= PrintLog::kMaxLines) {
      ++s.env->printed->dropped;
      continue;
    }
    std::vector<PrintedScalar> scalars;
    std::size_t argument = 0, left = print.arguments.empty() ? 0 : print.arguments[0].count;
    for (std::size_t i = 0; i < count; ++i, --left) {
      while (left == 0) left = print.arguments[++argument].count;
      const Scalar type = print.arguments[argument].scalar;
      const std::uint32_t at = operands[i].offset + lane / kGroup * operands[i].step;
      scalars.push_back({type, isWide(type) ? s.slot<std::uint64_t>(at)[lane % kGroup] : s.slot<std::uint32_t>(at)[lane % kGroup]});
    }
    const std::uint32_t index = program.invocationOf(first + lane);
    const Extent3 id{s.env->group.x * size[0] + index % size[0], s.env->group.y * size[1] + index / size[0] % size[1],
                     s.env->group.z * size[2] + index / size[0] / size[1]};
    s.env->printed->lines.push_back({s.env->dispatch, id, formatted(print, scalars)});
  }
}

}  // namespace lanewise
