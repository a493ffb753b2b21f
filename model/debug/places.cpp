#include "model/debug/places.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "model/base/text.h"

namespace lanewise::debug {

Places::Places(const Program& program) : source_(program) {
  for (std::uint32_t pc = 0; pc < program.info.size() && !hasLines_; ++pc) hasLines_ = hasLine(pc);
}

const OpRows& Places::rows(const Profile& profile) const {
  const Choices& f = program().choices;
  if (!rows_) rows_.emplace(Choices{profile, f.mode16, f.mode32, f.mode64});
  return *rows_;
}

const std::vector<SourceFrame>& Places::frames(std::uint32_t pc) const {
  const std::uint32_t origin = pc < program().info.size() ? program().info[pc].origin : 0;
  const auto [known, isNew] = frames_.try_emplace(origin);
  if (isNew) {
    known->second = source_.frames(pc);
    lineCalls(origin, known->second);
  }
  return known->second;
}

// A call without a line belongs to the line before it.
void Places::lineCalls(std::uint32_t origin, std::vector<SourceFrame>& frames) const {
  const std::vector<spirv::Instruction>& all = program().module.instructions;
  std::size_t at = 0;
  for (std::uint32_t o = origin; o != 0; o = program().origins[o].caller) {
    if (at >= frames.size()) return;  // a wrapper has no frame here
    const std::uint32_t call = program().origins[o].instruction;
    if (o != origin && frames[at].line.line == 0)
      for (std::uint32_t i = call; i-- > 0 && all[i].op != spv::Op::OpFunction && frames[at].line.line == 0;)
        frames[at].line = all[i].source;
    at += source_.debug().frames(call, all[call].source).size();
  }
}

bool Places::begins(std::uint32_t pc) const {
  const auto isCall = [this](std::uint32_t at) {  // its step is counted where it returns
    return program().info[at].op == control::kJump && program().instructionOf(at).op == spv::Op::OpFunctionCall;
  };
  const std::uint32_t origin = program().info[pc].origin;
  const auto& functions = program().module.functions;
  const bool isOfFunction =  // not of a built-in variable, which is set before
      origin == 0 || functions.empty() || program().origins[origin].instruction >= functions.front().first;
  return isOfFunction && !program().isRecord(pc) && (pc == 0 || program().endsStep(pc - 1) || isCall(pc));
}

bool Places::hasLine(std::uint32_t pc) const {
  return !frames(pc).empty() && frames(pc)[0].line.line != 0;
}

// Whether both are in one copy of a function.
bool Places::isOneCopy(std::uint32_t a, std::uint32_t b) const {
  const auto copyOf = [&](std::uint32_t at) {
    const ir::Origin& origin = program().origins[program().info[at].origin];
    return std::tuple(origin.caller, frames(at).size(), frames(at).empty() ? 0 : frames(at)[0].function);
  };
  return copyOf(a) == copyOf(b);
}

// Where an instruction without a line stands behind a branch or loop, before any line: the last one with a line up to where that begins.
std::optional<std::uint32_t> Places::branchBefore(std::uint32_t pc) const {
  const std::vector<ir::Origin>& origins = program().origins;
  const std::vector<spirv::Instruction>& all = program().module.instructions;
  std::uint32_t label = origins[program().info[pc].origin].instruction;
  while (label > 0 && all[label].op != spv::Op::OpLabel && all[label].source.line == 0) --label;
  if (all[label].op != spv::Op::OpLabel) return {};
  const auto merges = [&](const spirv::Instruction& i) {
    return (i.op == spv::Op::OpSelectionMerge || i.op == spv::Op::OpLoopMerge) && i.operand(0) == all[label].result;
  };
  const auto header = static_cast<std::uint32_t>(std::ranges::find_if(all, merges) - all.begin());
  std::optional<std::uint32_t> found;
  for (std::uint32_t at = 0; header < all.size() && at < program().info.size(); ++at) {
    const ir::Origin& o = origins[program().info[at].origin];
    const bool isBefore = o.instruction <= header && hasLine(at) && isOneCopy(at, pc);
    if (isBefore && (!found || origins[program().info[*found].origin].instruction < o.instruction)) found = at;
  }
  return found;
}

std::uint32_t Places::lined(std::uint32_t pc) const {
  if (pc >= program().info.size() || hasLine(pc)) return pc;
  // What a wrapper does after its call belongs to the last line of the function that it calls.
  const bool isWrapper = !frames(pc).empty() && source_.debug().scopes[frames(pc)[0].function].isWrapper;
  if (const auto branch = branchBefore(pc)) return *branch;
  for (std::uint32_t at = pc; at-- > 0;)
    if (hasLine(at) && (isOneCopy(at, pc) || (isWrapper && depth(at) == 1))) return at;
  for (std::uint32_t at = pc + 1; at < program().info.size(); ++at)
    if (hasLine(at) && (isOneCopy(at, pc) || frames(pc).empty())) return at;  // what sets built-in variables comes before the first line
  return pc;
}

bool Places::sameLine(std::uint32_t a, std::uint32_t b) const {
  return std::ranges::equal(frames(a), frames(b), [](const SourceFrame& x, const SourceFrame& y) {
    return x.function == y.function && x.line.file == y.line.file && x.line.line == y.line.line;
  });
}

std::string Places::fileOf(spirv::SourceLine line) const {
  const std::string path = program().module.string(line.file);
  return path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
}

std::vector<std::uint32_t> Places::ofLine(const std::string& file, std::uint32_t& line) const {
  const auto isThere = [&](std::uint32_t pc) {
    if (!hasLine(pc) || !begins(pc)) return false;
    const std::string path = program().module.string(frames(pc)[0].line.file);
    return file.empty() || endsWithFile(path, file);
  };
  std::uint32_t found = ~0u;
  for (std::uint32_t pc = 0; pc < program().info.size(); ++pc)
    if (isThere(pc) && frames(pc)[0].line.line >= line) found = std::min(found, frames(pc)[0].line.line);
  // A function that the line called comes back to it.
  const auto returns = [&](std::uint32_t from, std::uint32_t pc) {
    const std::size_t deeper = depth(from) - std::min(depth(from), depth(pc));
    if (deeper == 0) return false;
    const SourceFrame &caller = frames(from)[deeper], &own = frames(pc)[0];
    return caller.function == own.function && caller.line.file == own.line.file && caller.line.line == own.line.line;
  };
  std::vector<std::uint32_t> out;
  std::uint32_t before = ~0u;  // the last instruction that has a line
  for (std::uint32_t pc = 0; pc < program().info.size(); ++pc) {
    if (!begins(pc) || !hasLine(pc)) continue;
    if (isThere(pc) && frames(pc)[0].line.line == found && (before == ~0u || (!sameLine(before, pc) && !returns(before, pc))))
      out.push_back(pc);
    before = pc;
  }
  if (!out.empty()) line = found;
  return out;
}

std::vector<std::uint32_t> Places::ofFunction(const std::string& name) const {
  const spirv::DebugInfo& debug = source_.debug();
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> known;
  std::vector<std::uint32_t> out;
  for (std::uint32_t pc = 0; pc < program().info.size(); ++pc) {
    if (!begins(pc) || frames(pc).empty() || (hasLines_ && !hasLine(pc))) continue;
    const spirv::DebugScope& function = debug.scopes[frames(pc)[0].function];
    if (function.name != name || function.isWrapper) continue;
    const ir::Origin& origin = program().origins[program().info[pc].origin];
    const spirv::DebugPlace place = debug.placeOf(origin.instruction);
    if (known.insert({origin.caller, place.inlinedAt, frames(pc)[0].function}).second) out.push_back(pc);
  }
  return out;
}

std::optional<InstructionName> parseInstructionName(const std::string& text) {
  using By = InstructionName::By;
  constexpr std::string_view kWord = "word ", kBeforeWord = ", word ";
  const auto numbered = [&](By by, std::size_t digits, std::string module) -> std::optional<InstructionName> {
    InstructionName name{by, std::move(module), 0};
    const char* const last = text.data() + text.size();
    const auto [end, bad] = std::from_chars(text.data() + digits, last, name.number);
    return bad == std::errc{} && end == last ? std::optional(std::move(name)) : std::nullopt;
  };
  if (text.starts_with('%')) return numbered(By::kResult, 1, "");
  if (text.starts_with(kWord)) return numbered(By::kWord, kWord.size(), "");
  if (const std::size_t at = text.rfind(kBeforeWord); at != std::string::npos)
    return numbered(By::kWord, at + kBeforeWord.size(), text.substr(0, at));
  if (text.starts_with("Op")) return InstructionName{By::kOperation, text, 0};
  return {};
}

std::vector<std::uint32_t> Places::ofInstruction(const InstructionName& name) const {
  using By = InstructionName::By;
  const spirv::Module& module = program().module;
  if (name.by == By::kWord && !name.text.empty() && name.text != module.name) return {};
  std::vector<std::uint32_t> out;
  for (std::uint32_t pc = 0; pc < program().info.size(); ++pc) {
    if (!begins(pc) || program().info[pc].origin == 0) continue;
    const spirv::Instruction& inst = program().instructionOf(pc);
    const bool is = name.by == By::kWord     ? inst.offset == name.number
                    : name.by == By::kResult ? name.number != 0 && inst.result == name.number
                                             : program().moduleOpOf(pc) == name.text;
    if (is) out.push_back(pc);
  }
  return out;
}

}  // namespace lanewise::debug
