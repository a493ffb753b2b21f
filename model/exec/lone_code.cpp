#include "model/exec/lone_code.h"

#include <algorithm>
#include <map>

#include "model/ir/control_codes.h"

namespace lanewise {
namespace {

// Ends the turn of a lane before an instruction for which lanes meet.
const Instr* stopBeforeMeeting(const Instr* ip, Batch& b) {
  LoneLane& own = b.lone[b.lane];
  own.status = LoneLane::Status::kWaiting;
  own.pc = static_cast<std::uint32_t>(ip - b.base);
  return nullptr;
}

// Which rows are read later, before each instruction. Rows that no instruction writes are left out.
class LiveRows {
 public:
  explicit LiveRows(const Program& program) : p_(program) {
    for (const std::vector<std::uint32_t>* offsets : {&p_.written.narrow, &p_.written.wide})
      for (const std::uint32_t offset : *offsets) numbers_.try_emplace(offset, numbers_.size());
    beginBlocks();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = begins_.size(); b-- > 0;) {
        Set set = before(begins_[b]);
        if (set == atBegin_[b]) continue;
        atBegin_[b] = std::move(set);
        changed = true;
      }
    }
  }

  // The rows of a list that are live before one of the instructions.
  std::vector<std::uint32_t> liveAt(const std::vector<std::uint8_t>& places, const std::vector<std::uint32_t>& offsets) const {
    Set any(numbers_.size());
    for (std::uint32_t pc = 0; pc < places.size(); ++pc)
      if (places[pc]) unite(any, before(pc));
    std::vector<std::uint32_t> out;
    std::ranges::copy_if(offsets, std::back_inserter(out), [&](std::uint32_t offset) { return any[numbers_.at(offset)]; });
    return out;
  }

 private:
  using Set = std::vector<bool>;

  static void unite(Set& to, const Set& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = to[i] || from[i];
  }

  // Where the instruction may go on, but for a return.
  std::vector<std::uint32_t> nextOf(std::uint32_t pc) const {
    const InstrKind& what = p_.code[pc].what;
    if (std::holds_alternative<kind::Return>(what)) return {};
    if (const auto* jump = std::get_if<kind::Jump>(&what)) return {jump->target};
    if (const auto* branch = std::get_if<kind::Branch>(&what)) return {branch->whereTrue, branch->whereFalse};
    const auto* selects = std::get_if<kind::Switch>(&what);
    if (!selects) return {pc + 1};
    const ir::SwitchTable& table = p_.switches[selects->table];
    std::vector<std::uint32_t> out{table.otherwise};
    for (const auto& [literal, target] : table.cases) out.push_back(target);
    return out;
  }

  void beginBlocks() {
    std::vector<std::uint8_t> begins(p_.code.size() + 1);
    begins[0] = 1;
    for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc) {
      const std::vector<std::uint32_t> next = nextOf(pc);
      if (next == std::vector{pc + 1}) continue;
      begins[pc + 1] = 1;
      for (const std::uint32_t to : next) begins[to] = 1;
    }
    for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc)
      if (begins[pc]) begins_.push_back(pc);
    atBegin_.assign(begins_.size(), Set(numbers_.size()));
  }

  // From the end of its block back to the instruction.
  Set before(std::uint32_t pc) const {
    const auto after = std::ranges::upper_bound(begins_, pc);
    const std::uint32_t end = after == begins_.end() ? static_cast<std::uint32_t>(p_.code.size()) : *after;
    Set live(numbers_.size());
    for (const std::uint32_t to : nextOf(end - 1))
      if (const auto at = std::ranges::lower_bound(begins_, to); at != begins_.end())
        unite(live, atBegin_[static_cast<std::size_t>(at - begins_.begin())]);
    for (std::uint32_t at = end; at-- > pc;) {
      for (const DescribedOperand& result : p_.resultsOf(at)) set(live, result, false);
      for (const DescribedOperand& argument : p_.argumentsOf(at)) set(live, argument, true);
    }
    return live;
  }

  void set(Set& live, const DescribedOperand& operand, bool to) const {
    if (const auto it = numbers_.find(operand.slot.offset); it != numbers_.end()) live[it->second] = to;
  }

  const Program& p_;
  std::map<std::uint32_t, std::size_t> numbers_;  // of rows, by offset
  std::vector<std::uint32_t> begins_;             // of blocks, ascending
  std::vector<Set> atBegin_;                      // by block
};

// Instructions from one meeting point to the next in the code, on the average; returns are none here.
std::size_t fromMeetingToMeeting(const Program& program) {
  std::size_t first = 0, last = 0, count = 0;
  for (std::size_t i = 0; i < program.info.size(); ++i) {
    if (!program.meets[i] || program.info[i].op == control::kReturn) continue;
    if (count++ == 0) first = i;
    last = i;
  }
  return count < 2 ? program.info.size() : (last - first) / (count - 1);
}

// Whether its slots are all that it computes with: others are for another group. A move goes by the mask, too.
bool isLaneByLane(const Program& program, std::uint32_t pc) {
  const InstrInfo& info = program.info[pc];
  return std::holds_alternative<std::monostate>(program.code[pc].what) && info.arguments <= 3 && info.results == 1 &&
         info.op != ir::kReadClock && info.op != control::kMove && program.resultsOf(pc)[0].slot.offset == program.code[pc].dst;
}

}  // namespace

LoneCode::LoneCode(const Program& program, const Instr* base)
    : program_(&program), base_(base), code_(program.width / kGroup), atMeeting_(program.code.size() + 1) {
  const auto size = static_cast<std::uint32_t>(program.code.size());
  for (std::uint32_t group = 0; group < code_.size(); ++group) {
    code_[group].assign(base, base + size);
    for (std::uint32_t pc = 0; pc < size; ++pc) {
      Instr& i = code_[group][pc];
      if (program.meets[pc]) i.run = &stopBeforeMeeting;
      if (i.groups == 1 || !isLaneByLane(program, pc)) continue;
      i.groups = 1;
      i.dst += group * (isWide(program.resultsOf(pc)[0].type) ? 128 : 64);
      i.a += group * i.stepA * 64;
      i.b += group * i.stepB * 64;
      i.c += group * i.stepC * 64;
    }
  }
  if (std::ranges::find(program.meets, 1) == program.meets.end()) return;
  for (std::uint32_t pc = 0; pc < size; ++pc) {
    if (!program.meets[pc]) continue;
    atMeeting_[pc] = 1;
    if (program.info[pc].op != control::kReturn) atMeeting_[pc + 1] = 1;
  }
  const LiveRows rows(program);
  live_ = {rows.liveAt(atMeeting_, program.written.narrow), rows.liveAt(atMeeting_, program.written.wide)};
  constexpr std::size_t kRowsForAnInstruction = 5;  // carrying so many takes as long as guarding one instruction's results
  worth_ = live_.narrow.size() + live_.wide.size() <= kRowsForAnInstruction * fromMeetingToMeeting(program);
}

}  // namespace lanewise
