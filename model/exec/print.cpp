#include "model/exec/print.h"

#include <cstdio>

#include "model/scalar/half.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

struct Conversion {
  std::string flags;  // flags, width and precision
  char letter = 'd';
};

// Reads the conversion after a '%' at `at`, and moves `at` past it. A vector is printed whole, whatever number the format gives it (%v3f).
Conversion readConversion(const std::string& format, std::size_t& at) {
  Conversion c;
  const auto next = [&] { return at < format.size() ? format[at] : '\0'; };
  while (next() != '\0' && std::string_view("-+ #0123456789.").find(next()) != std::string_view::npos) c.flags += format[at++];
  if (next() == 'v' && at + 1 < format.size() && format[at + 1] >= '2' && format[at + 1] <= '4') at += 2;
  while (next() == 'l' || next() == 'h') ++at;
  c.letter = next();
  if (c.letter != '\0') ++at;
  if (c.letter == 'u' && next() == 'l') ++at;  // %ul
  if (c.flags.size() > 16) c.flags.clear();    // a width must not fill the memory
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
  char text[512];  // the largest double has 309 digits; a width or precision is at most 99
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
      out += (i == 0 ? "" : ", ") + one(conversion, scalars[scalar + i]);
    scalar += count;
  }
  return out;
}

namespace {

// A lane's value of each scalar of a print's arguments.
std::vector<PrintedScalar> scalarsOf(const PrintReached& at, const ir::Print& print, std::uint32_t lane) {
  const Operand* operand = at.batch.env->program->operands.data() + at.batch.env->program->code[at.pc].operands;
  std::vector<PrintedScalar> scalars;
  for (const ir::Print::Argument& argument : print.arguments)
    for (std::uint32_t i = 0; i < argument.count; ++i, ++operand)
      scalars.push_back({argument.scalar, bitsOf(at.batch, *operand, isWide(argument.scalar), lane)});
  return scalars;
}

}  // namespace

std::string printedText(const PrintReached& at, std::uint32_t lane) {
  const Program& program = *at.batch.env->program;
  const ir::Print& print = program.prints[program.code[at.pc].as<kind::Print>().print];
  return formatted(print, scalarsOf(at, print, lane));
}

Answer PrintObserver::moment(const Moment& moment) {
  const auto* at = std::get_if<PrintReached>(&moment);
  if (!at) return Answer::kGoOn;
  const Environment& env = *at->batch.env;
  const Program& program = *env.program;
  forLanes(at->lanes, [&](std::uint32_t lane) {
    if (log_.lines.size() >= PrintLog::kMaxLines) {
      ++log_.dropped;
      return;
    }
    const std::uint32_t index = program.invocationOf({at->batch.index, lane});
    log_.lines.push_back({env.dispatch, globalInvocation(program.localSize, env.group, index), printedText(*at, lane)});
  });
  return Answer::kGoOn;
}

}  // namespace lanewise
