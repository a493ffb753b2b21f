#include "model/program/lay_out.h"

#include <fmt/format.h>

#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/operations/profile_rows.h"
#include "model/program/passes.h"
#include "model/program/short_list.h"
#include "model/program/slots.h"

namespace lanewise {
namespace {

using ir::Value;

constexpr std::uint64_t kMaxRegisterBytes = std::uint64_t{1} << 31;

Kept keptOf(const Program& program) {
  if (program.flavour == ir::Flavour::kFaithful) return Kept::kAll;
  return program.flavour == ir::Flavour::kUnwatched && !program.separateLanes ? Kept::kNone : Kept::kOfLanes;
}

class LayOut {
 public:
  LayOut(ir::Function& f, Program& program, const OpRows& rows)
      : f_(f), p_(program), rows_(rows), slots_(assignSlots(f, program.width, keptOf(program))) {}

  Laid laid() { return {{}, std::move(slots_.of), std::move(places_)}; }

  Status run() {
    if (slots_.bytes > kMaxRegisterBytes)
      return Error{Outcome::kUnsupported, "more than 2 GiB of registers", p_.module.name, "smaller subgroups, or arrays in a buffer"};
    p_.registerBytes = static_cast<std::uint32_t>(slots_.bytes);
    permanent();
    std::size_t most = 0, operands = 0;
    for (const std::uint32_t b : f_.order) {
      most += f_.blocks[b].nodes.size() + 1;
      for (const Value v : f_.blocks[b].nodes) operands += f_.nodes[v].arguments + 1;
    }
    p_.code.reserve(most);
    p_.observed.reserve(most);
    p_.info.reserve(most);
    p_.described.reserve(operands + f_.order.size());
    blockPc_.assign(f_.blocks.size(), 0);
    places_.assign(f_.nodes.size(), 0);
    for (std::size_t i = 0; i < f_.order.size() && !error_; ++i) {
      const std::uint32_t b = block_ = f_.order[i];
      blockPc_[b] = static_cast<std::uint32_t>(p_.code.size());
      const std::span<const Value> nodes = f_.blocks[b].nodes;
      for (std::size_t n = 0; n < nodes.size(); ++n) node(nodes[n], nodes.subspan(n + 1));
      phiMoves(b);
      terminator(b, i + 1 < f_.order.size() ? f_.order[i + 1] : 0);
    }
    if (error_) return error_;
    for (Instr& instr : p_.code) patch(instr);
    for (Instr& instr : p_.observed) patch(instr);
    for (ir::SwitchTable& table : p_.switches) {
      table.otherwise = blockPc_[table.otherwise];
      for (auto& [literal, target] : table.cases) target = blockPc_[target];
    }
    return {};
  }

 private:
  // Constants and inputs: filled once, not computed.
  void permanent() {
    for (Value v = 1; v < f_.nodes.size(); ++v) {
      const ir::Node& n = f_.nodes[v];
      if (slots_.of[v].offset == 0) continue;
      if (n.op == ir::kConstant) {
        p_.constants.push_back({slots_.of[v].offset, isWide(n.type), f_.bitsOf(v)});
      } else if (n.op == ir::kUndef) {
        undefined(slots_.of[v], n);
      } else if (n.op == ir::kInput) {
        p_.inputs[static_cast<std::size_t>(n.as<kind::Input>().row)] = slots_.of[v];
      }
    }
  }

  // The engine reads zeros.
  void undefined(Operand slot, const ir::Node& n) {
    p_.constants.push_back({slot.offset, isWide(n.type), 0});
    p_.undefined.push_back({slot, n.type, n.origin});
  }

  // A phi's move is executed in the block before the phi's.
  std::uint32_t stepsAt(const InstrInfo& info) const {
    const std::uint32_t step = f_.origins[info.origin].step;
    const ir::Block& block = f_.blocks[block_];
    if (const std::uint32_t own = block.stepsUpTo(step); own != 0) return uncharged_ + own;
    if ((info.op != control::kMove && info.op != control::kMoveUniform) || block.successorCount() != 1) return 0;
    const std::uint32_t next = f_.blocks[block.successor(0)].stepsUpTo(step);
    return next == 0 ? 0 : uncharged_ + block.stepCount() + next;
  }

  void push(Instr instr, const OpRow& row, InstrInfo info, std::span<const Value> args, std::span<const Value> results) {
    info.arguments = static_cast<std::uint8_t>(args.size());
    info.results = static_cast<std::uint8_t>(results.size());
    info.firstOperand = static_cast<std::uint32_t>(p_.described.size());
    info.steps = stepsAt(info);
    for (Value v : args) p_.described.push_back({slots_.of[v], f_.nodes[v].type});
    for (Value v : results) p_.described.push_back({slots_.of[v], f_.nodes[v].type});
    instr.run = row.quiet;
    p_.code.push_back(instr);
    instr.run = row.observed;
    p_.observed.push_back(instr);
    p_.info.push_back(info);
  }

  void node(Value v, std::span<const Value> following) {
    const ir::Node& n = f_.nodes[v];
    switch (n.op) {
      case ir::kPhi:
      case ir::kResult:
      case ir::kInput:
      case ir::kConstant:
      case ir::kUndef:
        return;
      case ir::kSticky:
        move(slots_.of[f_.args(v)[0]], slots_.of[v], n.type, true, n.origin);
        return;
      default:
        break;
    }
    const std::span<const Value> args = f_.args(v);
    Instr instr;
    instr.what = whatOf(n, static_cast<std::uint32_t>(args.size()));
    instr.dst = slots_.of[v].offset;
    instr.groups = static_cast<std::uint8_t>(n.varying || n.type == Scalar::kNone ? p_.width / kGroup : 1);
    const OpKey key = keyOf(f_, v, f_.accesses, f_.imageAccesses);
    const OpRow* row = rowOf(key);
    if (!row) return unsupported(v, key);
    std::uint32_t* const offsets[] = {&instr.a, &instr.b, &instr.c};
    std::uint8_t* const steps[] = {&instr.stepA, &instr.stepB, &instr.stepC};
    for (std::size_t i = 0; i < args.size() && i < 3; ++i) {
      *offsets[i] = slots_.of[args[i]].offset;
      *steps[i] = static_cast<std::uint8_t>(slots_.of[args[i]].step / 64);
    }
    ir::Values results;
    if (n.type != Scalar::kNone) results.push_back(v);
    if (!ir::computes(n.op) || args.size() > 3) {
      instr.operands = static_cast<std::uint32_t>(p_.operands.size());
      for (Value a : args) p_.operands.push_back(slots_.of[a]);
      if (n.type == Scalar::kNone)
        projections(following, instr, results);
      else
        p_.operands.push_back(slots_.of[v]);
    }
    places_[v] = static_cast<std::uint32_t>(p_.code.size());
    push(instr, *row, {n.op, n.origin, n.type, 0, 0, 0, n.order, n.path}, args, results);
  }

  // The results of an operation that has several stand right behind it.
  void projections(std::span<const Value> following, Instr& instr, ir::Values& results) {
    if (following.empty() || f_.nodes[following[0]].op != ir::kResult) return;
    Operand slots[4];
    std::uint32_t used = 0;
    bool varying = false;
    for (Value r : following) {
      if (f_.nodes[r].op != ir::kResult) break;
      if (slots_.of[r].offset == 0) continue;
      const std::uint32_t index = f_.nodes[r].as<kind::Result>().index;
      slots[index] = slots_.of[r];
      used |= 1u << index;
      varying = varying || f_.nodes[r].varying;
      results.push_back(r);
    }
    if (auto* image = std::get_if<kind::Image>(&instr.what)) image->used = used;
    if (auto* ballot = std::get_if<kind::Ballot>(&instr.what)) ballot->used = used;
    instr.groups = static_cast<std::uint8_t>(varying ? p_.width / kGroup : 1);
    p_.operands.insert(p_.operands.end(), slots, slots + 4);
  }

  // What an instruction says besides its slots, but for the results that are used.
  InstrKind whatOf(const ir::Node& n, std::uint32_t arguments) const {
    if (const auto* of = std::get_if<kind::Local>(&n.what)) {
      const ir::LocalVariable& local = f_.locals[of->local];
      return kind::LaneMemory{local.firstWord, static_cast<std::uint32_t>(local.leaves.size()), local.leafWords};
    }
    if (const auto* image = std::get_if<kind::Image>(&n.what))
      return kind::Image{image->access, image->values, static_cast<std::uint16_t>(arguments), 0};
    if (const auto* subgroup = std::get_if<kind::Subgroup>(&n.what); subgroup && n.type == Scalar::kNone)
      return kind::Ballot{subgroup->op, 0};
    return std::visit(
        []<class T>(const T& same) -> InstrKind {
          if constexpr (std::is_constructible_v<InstrKind, T>) return same;
          return {};
        },
        n.what);
  }

  // The handler for these types, for a result of that type, or for all.
  const OpRow* rowOf(OpKey key) const {
    OpKey forResult = key, forAll = key;
    forResult.argument = forAll.argument = forAll.result = Scalar::kNone;
    for (const OpKey& k : {key, forResult, forAll})
      if (const OpRow* row = rows_.find(k)) return row;
    return nullptr;
  }

  void move(Operand from, Operand to, Scalar type, bool varying, std::uint32_t origin) {
    if (from.offset == to.offset) return;
    Instr instr;
    instr.a = from.offset;
    instr.stepA = static_cast<std::uint8_t>(from.step / 64);
    instr.dst = to.offset;
    instr.groups = static_cast<std::uint8_t>(varying ? p_.width / kGroup : 1);
    const ir::Code op = varying ? control::kMove : control::kMoveUniform;
    const Scalar word = isWide(type) ? Scalar::kI64 : Scalar::kI32;
    InstrInfo info{op, origin, type, 1, 1, static_cast<std::uint32_t>(p_.described.size()), 0, 0, 0};
    p_.described.push_back({from, type});
    p_.described.push_back({to, type});
    const OpRow* row = operations().find({op, word, Scalar::kNone});
    instr.run = row->quiet;
    p_.code.push_back(instr);
    instr.run = row->observed;
    p_.observed.push_back(instr);
    p_.info.push_back(info);
  }

  struct Move {
    Operand from, to;
    Scalar type;
    bool varying;
    std::uint32_t origin;
  };

  // All phis of the next block at once: a move waits while another still needs what it overwrites; a cycle goes through a scratch slot.
  void phiMoves(std::uint32_t b) {
    if (f_.blocks[b].successorCount() != 1) return;
    const std::uint32_t next = f_.blocks[b].successor(0);
    const auto& predecessors = f_.blocks[next].predecessors;
    const auto index = static_cast<std::size_t>(std::find(predecessors.begin(), predecessors.end(), b) - predecessors.begin());
    std::vector<Move> moves;
    for (Value v : f_.blocks[next].nodes) {
      const ir::Node& n = f_.nodes[v];
      if (n.op != ir::kPhi || slots_.of[v].offset == 0) continue;
      const Value from = f_.args(v)[index];
      if (slots_.of[from].offset != slots_.of[v].offset)
        moves.push_back({slots_.of[from], slots_.of[v], n.type, n.varying, n.origin ? n.origin : f_.blocks[b].origin});
    }
    while (!moves.empty()) {
      const auto ready = std::find_if(moves.begin(), moves.end(), [&](const Move& m) {
        return std::none_of(moves.begin(), moves.end(),
                            [&](const Move& other) { return &other != &m && other.from.offset == m.to.offset; });
      });
      if (ready != moves.end()) {
        move(ready->from, ready->to, ready->type, ready->varying, ready->origin);
        moves.erase(ready);
        continue;
      }
      // A cycle: what the first move overwrites is saved, and moves that need it read the copy. All lanes of the slot are copied.
      const Operand old = moves.front().to;
      const Operand saved = slots_.scratch[slotClass(moves.front().type, moves.front().varying)];
      move(old, saved, moves.front().type, moves.front().varying, moves.front().origin);
      for (Move& m : moves)
        if (m.from.offset == old.offset) m.from = saved;
    }
  }

  void terminator(std::uint32_t b, std::uint32_t following) {
    const ir::Block& block = f_.blocks[b];
    const std::uint32_t steps = uncharged_ + block.stepCount();
    Instr instr;
    instr.what = kind::Return{steps};
    ir::Code op = control::kReturn;
    std::span<const Value> args;
    const Value* condition = block.condition();
    const bool varying = condition && f_.nodes[*condition].varying;
    if (const auto* jump = std::get_if<ir::Jump>(&block.end)) {
      // No other strand can wait at the start of a block that only this one reaches.
      if (p_.flavour != ir::Flavour::kFaithful && jump->target == following && f_.blocks[following].predecessors.size() == 1) {
        uncharged_ = steps;
        return;
      }
      op = control::kJump;
      instr.what = kind::Jump{jump->target, steps};
    } else if (const auto* branch = std::get_if<ir::Branch>(&block.end)) {
      op = varying ? control::kBranchVarying : control::kBranchUniform;
      instr.what = kind::Branch{branch->whereTrue, branch->whereFalse, steps};
    } else if (const auto* choice = std::get_if<ir::Switch>(&block.end)) {
      op = varying ? control::kSwitchVarying : control::kSwitchUniform;
      instr.what = kind::Switch{static_cast<std::uint32_t>(p_.switches.size()), steps, isWide(f_.nodes[*condition].type)};
      p_.switches.push_back(choice->table);
    }
    if (condition) {
      args = {condition, 1};
      instr.a = slots_.of[*condition].offset;
      instr.stepA = static_cast<std::uint8_t>(slots_.of[*condition].step / 64);
    }
    push(instr, *operations().find({op, Scalar::kNone, Scalar::kNone}), {op, block.origin, Scalar::kNone, 0, 0, 0, 0, 0, 0}, args, {});
    uncharged_ = 0;
  }

  // Jump targets were blocks until every block had its place.
  void patch(Instr& instr) const {
    if (auto* jump = std::get_if<kind::Jump>(&instr.what)) jump->target = blockPc_[jump->target];
    if (auto* branch = std::get_if<kind::Branch>(&instr.what)) {
      branch->whereTrue = blockPc_[branch->whereTrue];
      branch->whereFalse = blockPc_[branch->whereFalse];
    }
  }

  void unsupported(Value v, OpKey key) {
    const spirv::Instruction& inst = p_.module.instructions[f_.origins[f_.nodes[v].origin].instruction];
    std::string where = fmt::format("{}, word {}", p_.module.name, inst.offset);
    if (const std::string line = p_.module.lineText(inst.source); !line.empty()) where += ", " + line;
    const ir::Node& n = f_.nodes[v];
    const auto* atomic = std::get_if<kind::Atomic>(&n.what);
    const auto* subgroup = std::get_if<kind::Subgroup>(&n.what);
    const ir::Code named = atomic ? ir::core(atomic->op) : subgroup ? ir::core(subgroup->op) : n.op;
    error_ = Error{
        Outcome::kUnsupported,
        fmt::format("{} on {}{} is not supported", codeName(named), scalarName(key.argument == Scalar::kNone ? key.result : key.argument),
                    key.argument != Scalar::kNone && key.result != key.argument ? std::string(" giving ") + scalarName(key.result) : ""),
        where, ""};
  }

  ir::Function& f_;
  Program& p_;
  const OpRows& rows_;
  Slots slots_;
  std::vector<std::uint32_t> blockPc_;
  std::vector<std::uint32_t> places_;  // Laid::places
  std::uint32_t block_ = 0;            // that is laid out
  std::uint32_t uncharged_ = 0;        // the steps of the blocks before it that end with no instruction
  std::optional<Error> error_;
};

}  // namespace

Expected<Laid> layOut(ir::Function& f, Program& program, const OpRows& rows) {
  LayOut out(f, program, rows);
  if (Status error = out.run()) return *error;
  return out.laid();
}

void joinBranches(const ir::Function& f, Program& program, const OpRows& rows, const Laid& laid) {
  const std::vector<ir::UsedBy> uses = ir::usesOf(f);
  for (const std::uint32_t b : f.order) {
    const Value* condition = f.blocks[b].condition();
    if (!condition || uses[*condition].count != 1 || f.nodes[*condition].block != b || f.nodes[*condition].type != Scalar::kBool) continue;
    const std::uint32_t pc = laid.places[*condition];
    if (pc == 0 || !std::holds_alternative<kind::Branch>(program.code[pc + 1].what)) continue;
    const OpRow* row = rows.find(keyOf(f, *condition, f.accesses, f.imageAccesses));
    if (row && row->branching) program.code[pc].run = row->branching;
  }
}

}  // namespace lanewise
