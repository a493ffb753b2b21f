#include "tools/dap/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tools/debug/spirv_text.h"
#include "tools/debug/text.h"

namespace lanewise::dap {
namespace {

constexpr std::uint64_t kModule = std::uint64_t{1} << 32;

std::uint32_t functionAt(const spirv::Module& module, std::size_t instruction) {
  for (const spirv::FunctionRange& f : module.functions)
    if (instruction >= f.first && instruction < f.last) return f.id;
  return 0;
}

}  // namespace

std::string addressText(std::uint64_t address) {
  return fmt::format("{:#x}", address);
}

Expected<std::uint64_t> parseAddress(const std::string& text) {
  const bool isHex = text.starts_with("0x");
  const char* const begin = text.data() + (isHex ? 2 : 0);
  std::uint64_t n = 0;
  const auto [end, bad] = std::from_chars(begin, text.data() + text.size(), n, isHex ? 16 : 10);
  if (bad != std::errc{} || end != text.data() + text.size())
    return Error{Outcome::kBadInput, fmt::format("'{}' is no address", text), "", ""};
  return n;
}

Instructions::Instructions(debug::Session& session) {
  for (std::uint32_t d = 0; d < session.job().dispatches.size(); ++d) {
    const debug::Places& places = session.placesOf(d);
    if (std::ranges::none_of(modules_, [&](const Listed& m) { return m.places == &places; })) modules_.push_back({&places, {}});
  }
}

std::uint64_t Instructions::addressOf(const Program& program, std::uint32_t pc) const {
  const auto at = std::ranges::find_if(modules_, [&](const Listed& m) { return &m.places->program() == &program; });
  const std::uint32_t instruction = program.origins[program.info[pc].origin].instruction;
  return (static_cast<std::uint64_t>(at - modules_.begin()) + 1) * kModule +
         program.module.instructions[instruction].offset * std::uint64_t{4};
}

std::pair<const Instructions::Listed*, std::size_t> Instructions::find(std::uint64_t address) const {
  const std::uint64_t number = address / kModule;
  if (number == 0 || number > modules_.size()) return {};
  const Listed& m = modules_[number - 1];
  const auto& all = m.places->program().module.instructions;
  const auto at =
      std::ranges::lower_bound(all, address % kModule, {}, [](const spirv::Instruction& i) { return i.offset * std::uint64_t{4}; });
  return {&m, static_cast<std::size_t>(at - all.begin())};
}

void Instructions::disassemble(Listed& m) const {
  if (m.texts.empty()) m.texts = spirvTexts(m.places->program().module);
  if (m.texts.empty()) m.texts[0] = "";
}

std::vector<Json> Instructions::list(std::uint64_t address, std::int64_t first, std::int64_t count, const Sources& sources) {
  for (Listed& m : modules_) disassemble(m);
  const auto [m, at] = find(address);
  std::vector<Json> out;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t wanted = static_cast<std::int64_t>(at) + first + i;
    const spirv::Module* module = m ? &m->places->program().module : nullptr;
    if (!module || wanted < 0 || wanted >= static_cast<std::int64_t>(module->instructions.size())) {
      out.push_back({{"address", addressText(wanted < 0 || !m ? 0 : (address / kModule + 1) * kModule - 4)},
                     {"instruction", "no instruction"},
                     {"presentationHint", "invalid"}});
      continue;
    }
    const spirv::Instruction& inst = module->instructions[static_cast<std::size_t>(wanted)];
    const auto text = m->texts.find(inst.offset);
    Json one{{"address", addressText(address / kModule * kModule + inst.offset * std::uint64_t{4})},
             {"instruction", text == m->texts.end() ? spirv::opName(inst.op) : text->second}};
    if (const std::uint32_t function = functionAt(*module, static_cast<std::size_t>(wanted))) one["symbol"] = module->nameOf(function);
    if (const Json source = sources.of(*m->places, inst.source); inst.source.line != 0 && !source.is_null())
      one.update({{"location", source}, {"line", inst.source.line}});
    out.push_back(std::move(one));
  }
  return out;
}

Expected<debug::InstructionName> Instructions::nameAt(std::uint64_t address) const {
  const auto [m, at] = find(address);
  const auto* all = m ? &m->places->program().module.instructions : nullptr;
  if (!all || at >= all->size() || (*all)[at].offset * std::uint64_t{4} != address % kModule)
    return Error{Outcome::kBadInput, fmt::format("no instruction is at {}", addressText(address)), "", ""};
  return debug::InstructionName{debug::InstructionName::By::kWord, m->places->program().module.name, (*all)[at].offset};
}

}  // namespace lanewise::dap
