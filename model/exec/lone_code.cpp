#include "model/exec/lone_code.h"

#include <algorithm>
#include <span>
#include <utility>

#include "model/ir/branches.h"
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
  explicit LiveRows(const Program& program) : p_(program), numbers_(program.registerBytes / kRow + 1, kNone) {
    std::uint32_t count = 0;
    for (const std::vector<std::uint32_t>* offsets : {&p_.written.narrow, &p_.written.wide})
      for (const std::uint32_t offset : *offsets) numbers_[offset / kRow] = count++;
    none_.resize(count / 64 + 1);
    beginBlocks();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = begins_.size(); b-- > 0;) {
        Set set = beforeBlock(b);
        if (set == atBegin_[b]) continue;
        atBegin_[b] = std::move(set);
        changed = true;
      }
    }
  }

  // The rows that are live before each of these instructions.
  std::vector<std::optional<Program::Rows>> liveAt(const std::vector<std::uint8_t>& places) const {
    std::vector<std::optional<Program::Rows>> out(places.size());
    for (std::size_t b = 0; b < begins_.size(); ++b) {
      Set live = afterBlock(b);
      for (std::uint32_t pc = endOf(b); pc-- > begins_[b];) {
        step(pc, live);
        if (places[pc]) out[pc] = rowsOf(live);
      }
    }
    return out;
  }

 private:
  using Set = std::vector<std::uint64_t>;                 // a bit for each row
  static constexpr std::uint32_t kRow = 64, kNone = ~0u;  // rows begin at a multiple of so many bytes

  static void unite(Set& to, const Set& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] |= from[i];
  }

  // Where the instruction may go on, but for a return.
  std::vector<std::uint32_t> nextOf(std::uint32_t pc) const {
    const InstrKind& what = p_.code[pc].what;
    if (std::holds_alternative<kind::Return>(what)) return {};
    if (const auto* jump = std::get_if<kind::Jump>(&what)) return {jump->target};
    if (isBranch(p_, pc)) return targetsOf(p_, pc);
    return {pc + 1};
  }

  void beginBlocks() {
    std::vector<std::uint8_t> begins(p_.code.size() + 1);
    begins[0] = 1;
    for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc) {
      if (p_.code[pc].what.index() == 0) continue;  // it computes
      const std::vector<std::uint32_t> next = nextOf(pc);
      if (next == std::vector{pc + 1}) continue;
      begins[pc + 1] = 1;
      for (const std::uint32_t to : next) begins[to] = 1;
    }
    for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc)
      if (begins[pc]) begins_.push_back(pc);
    atBegin_.assign(begins_.size(), none_);
  }

  std::uint32_t endOf(std::size_t block) const {
    return block + 1 < begins_.size() ? begins_[block + 1] : static_cast<std::uint32_t>(p_.code.size());
  }

  Set afterBlock(std::size_t block) const {
    Set live = none_;
    for (const std::uint32_t to : nextOf(endOf(block) - 1))
      if (const auto at = std::ranges::lower_bound(begins_, to); at != begins_.end())
        unite(live, atBegin_[static_cast<std::size_t>(at - begins_.begin())]);
    return live;
  }

  Set beforeBlock(std::size_t block) const {
    Set live = afterBlock(block);
    for (std::uint32_t pc = endOf(block); pc-- > begins_[block];) step(pc, live);
    return live;
  }

  // From behind an instruction to before it.
  void step(std::uint32_t pc, Set& live) const {
    forRows(p_.resultsOf(pc), [&](std::uint32_t row) { live[row / 64] &= ~(std::uint64_t{1} << row % 64); });
    forRows(p_.argumentsOf(pc), [&](std::uint32_t row) { live[row / 64] |= std::uint64_t{1} << row % 64; });
  }

  Program::Rows rowsOf(const Set& live) const {
    Program::Rows out;
    const auto isLive = [&](std::uint32_t offset) {
      const std::uint32_t row = numbers_[offset / kRow];
      return (live[row / 64] >> row % 64 & 1) != 0;
    };
    const auto take = [&](const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
      std::ranges::copy_if(from, std::back_inserter(to), isLive);
    };
    take(p_.written.narrow, out.narrow);
    take(p_.written.wide, out.wide);
    return out;
  }

  template <class Visit>
  void forRows(std::span<const DescribedOperand> operands, const Visit& visit) const {
    for (const DescribedOperand& operand : operands)
      if (const std::uint32_t row = numbers_[operand.slot.offset / kRow]; row != kNone) visit(row);
  }

  const Program& p_;
  std::vector<std::uint32_t> numbers_;  // of rows, by offset
  Set none_;
  std::vector<std::uint32_t> begins_;  // of blocks, ascending
  std::vector<Set> atBegin_;           // by block
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

// Whether its slots are all that it computes with: others are for another group. A move goes by the mask only where not all lanes are
// together, as they are on registers of a lane's own.
bool isLaneByLane(const Program& program, std::uint32_t pc) {
  const InstrInfo& info = program.info[pc];
  return std::holds_alternative<std::monostate>(program.code[pc].what) && info.arguments <= 3 && info.results == 1 &&
         info.op != ir::kReadClock && program.resultsOf(pc)[0].slot.offset == program.code[pc].dst;
}

}  // namespace

LoneCode::LoneCode(const Program& program, const Instr* base) : program_(&program), base_(base), live_(program.code.size() + 1) {
  const auto size = static_cast<std::uint32_t>(program.code.size());
  if (std::ranges::find(program.meets, 1) != program.meets.end()) {
    std::vector<std::uint8_t> atMeeting(size + 1);
    for (std::uint32_t pc = 0; pc < size; ++pc) {
      if (!program.meets[pc]) continue;
      atMeeting[pc] = 1;
      if (program.info[pc].op != control::kReturn) atMeeting[pc + 1] = 1;
    }
    live_ = LiveRows(program).liveAt(atMeeting);
    std::size_t rows = 0, places = 0;
    for (const auto& live : live_)
      if (live) rows += live->narrow.size() + live->wide.size(), ++places;
    constexpr std::size_t kRowsForAnInstruction = 5;  // carrying so many takes as long as guarding one instruction's results
    if (rows > kRowsForAnInstruction * fromMeetingToMeeting(program) * places) return;
  }
  code_.resize(program.width / kGroup);
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
}

}  // namespace lanewise
