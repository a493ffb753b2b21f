#include "model/reduce.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/spirv/debug_set.h"
#include "model/spirv/parse.h"
#include "model/spirv/uses.h"
#include "model/spirv/validate.h"
#include "model/spirv/words.h"

namespace lanewise {
namespace {

using spv::Op;
using Words = std::vector<std::uint32_t>;

// An instruction that may be changed.
struct Line {
  Words words;
  Op op{};
  std::uint32_t type = 0, result = 0;
  Words uses{};              // the ids that it names, in order; of what only says something (says) too
  Words targets{};           // of a branch: the labels that it may lead to
  std::uint32_t marker = 0;  // where what follows is from: the number of its kind; 0: it is no such thing
  bool says = false;         // names, decorations, debug information: what is gone with what it is about
  bool inside = false;       // of a function
};
using Lines = std::vector<Line>;

bool isDecoration(Op op) {
  return ir::sectionOf(op) == ir::Section::kAnnotation || ir::sectionOf(op) == ir::Section::kName;
}

bool isMerge(Op op) {
  return ir::sectionOf(op) == ir::Section::kMerge;
}

// What holds a function or the module together: it goes with a whole, if at all.
bool isFrame(const Line& l) {
  const ir::Section section = ir::sectionOf(l.op);
  return ir::endsBlock(l.op) || section == ir::Section::kMerge || section == ir::Section::kFunction || section == ir::Section::kMode ||
         l.op == Op::OpEntryPoint || l.op == Op::OpMemoryModel;
}

std::uint32_t markerOf(const spirv::Module& m, const spirv::Instruction& inst) {
  constexpr std::uint32_t kLine = NonSemanticShaderDebugInfo100DebugLine, kScope = NonSemanticShaderDebugInfo100DebugScope;
  if (inst.op == Op::OpLine || inst.op == Op::OpNoLine) return kLine;
  const std::optional<spirv::DebugEntry> said = spirv::DebugSet(m).entry(inst);
  if (!said) return 0;
  if (said->op == kLine || said->op == NonSemanticShaderDebugInfo100DebugNoLine) return kLine;
  return said->op == kScope || said->op == NonSemanticShaderDebugInfo100DebugNoScope ? kScope : 0;
}

Lines linesOf(const spirv::Module& m) {
  Lines all;
  bool inside = false;
  for (const spirv::Instruction& inst : m.instructions) {
    Line l;
    const std::span<const std::uint32_t> own = spirv::wordsOf(m, inst);
    l.words.assign(own.begin(), own.end());
    l.op = inst.op;
    l.type = inst.type;
    l.result = inst.result;
    inside = inside || inst.op == Op::OpFunction;
    l.inside = inside;
    inside = inside && inst.op != Op::OpFunctionEnd;
    l.targets = spirv::targetsOf(m, inst);
    l.marker = markerOf(m, inst);
    l.says = isDecoration(inst.op) || (inst.op == Op::OpExtInst && spirv::isNonSemantic(m.setOf(inst)));
    if (isDecoration(inst.op))
      l.uses = {inst.operand(0)};
    else if (l.says)
      l.uses.assign(inst.operands.begin() + 2, inst.operands.end());
    else
      l.uses.assign(m.namedBy(inst).begin(), m.namedBy(inst).end());
    all.push_back(std::move(l));
  }
  return all;
}

std::map<std::uint32_t, std::size_t> countUses(const Lines& lines) {
  std::map<std::uint32_t, std::size_t> uses;
  for (const Line& l : lines)
    if (!l.says && l.op != Op::OpEntryPoint)
      for (const std::uint32_t id : l.uses) ++uses[id];
  return uses;
}

// Where the interface of an entry point begins: behind its name.
std::size_t interfaceOf(const Words& entry) {
  constexpr std::size_t kName = 3;
  return kName + spirv::literalString(std::span(entry).subspan(kName)).size() / 4 + 1;
}

// Without these, and without what is about them. What is not about one of them, but names it, stays: then the module is not valid.
Lines without(const Lines& lines, std::set<std::size_t> gone) {
  std::set<std::uint32_t> ids;
  const auto note = [&](std::size_t i) {
    gone.insert(i);
    if (lines[i].result != 0) ids.insert(lines[i].result);
  };
  for (const std::size_t i : std::set(gone)) note(i);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool about =
          lines[i].says && !gone.contains(i) && std::ranges::any_of(lines[i].uses, [&](std::uint32_t id) { return ids.contains(id); });
      if (!about) continue;
      note(i);
      more = true;
    }
  }
  Lines out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (gone.contains(i)) continue;
    out.push_back(lines[i]);
    Line& l = out.back();
    if (l.op != Op::OpEntryPoint) continue;
    const auto first = l.words.begin() + static_cast<std::ptrdiff_t>(std::min(interfaceOf(l.words), l.words.size()));
    l.words.erase(std::remove_if(first, l.words.end(), [&](std::uint32_t id) { return ids.contains(id); }), l.words.end());
    l.words[0] = static_cast<std::uint32_t>(l.words.size()) << 16 | (l.words[0] & 0xffff);
  }
  return out;
}

// A block: from its label up to its end, and where it goes.
struct Block {
  std::uint32_t id = 0;
  std::size_t first = 0, last = 0;  // lines: of the label, and behind the end
  bool isEntry = false;             // the first of its function
  Words next, merges;
};

std::vector<Block> blocksOf(const Lines& lines) {
  std::vector<Block> all;
  bool isEntry = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& l = lines[i];
    if (l.op == Op::OpFunction) isEntry = true;
    if (l.op == Op::OpLabel) all.push_back({l.result, i, i, std::exchange(isEntry, false), {}, {}});
    if (!l.inside || all.empty()) continue;
    Block& b = all.back();
    if (isMerge(l.op)) b.merges.insert(b.merges.end(), l.words.begin() + 1, l.words.begin() + (l.op == Op::OpLoopMerge ? 3 : 2));
    if (!ir::endsBlock(l.op)) continue;
    b.last = i + 1;
    b.next = l.targets;
  }
  return all;
}

// The blocks that branches lead to; with what merge instructions name, if `merges`.
std::set<std::uint32_t> reachedBlocks(const std::vector<Block>& blocks, bool merges) {
  std::map<std::uint32_t, const Block*> byId;
  std::set<std::uint32_t> reached;
  std::vector<std::uint32_t> open;
  for (const Block& b : blocks) {
    byId[b.id] = &b;
    if (b.isEntry) open.push_back(b.id);
  }
  while (!open.empty()) {
    const std::uint32_t id = open.back();
    open.pop_back();
    if (!byId.contains(id) || !reached.insert(id).second) continue;
    const Block& b = *byId[id];
    open.insert(open.end(), b.next.begin(), b.next.end());
    if (merges) open.insert(open.end(), b.merges.begin(), b.merges.end());
  }
  return reached;
}

// Whether a loop goes round whose merge block no branch leads to.
bool hasEndlessLoop(const Lines& lines) {
  const std::vector<Block> blocks = blocksOf(lines);
  const std::set<std::uint32_t> reached = reachedBlocks(blocks, false);
  return std::ranges::any_of(blocks, [&](const Block& b) {
    return b.merges.size() == 2 && reached.contains(b.id) && !reached.contains(b.merges[0]) && reached.contains(b.merges[1]);
  });
}

// Leaves out the blocks that nothing leads to, and what others say of them.
Lines pruned(const Lines& lines) {
  const std::vector<Block> blocks = blocksOf(lines);
  const std::set<std::uint32_t> reached = reachedBlocks(blocks, true);
  std::set<std::size_t> gone;
  std::map<std::uint32_t, std::set<std::uint32_t>> from;
  for (const Block& b : blocks) {
    if (reached.contains(b.id))
      for (const std::uint32_t next : b.next) from[next].insert(b.id);
    else
      for (std::size_t i = b.first; i < b.last; ++i) gone.insert(i);
  }
  Lines out = lines;
  std::uint32_t block = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    Line& l = out[i];
    if (l.op == Op::OpLabel) block = l.result;
    if (l.op != Op::OpPhi || gone.contains(i)) continue;
    Words kept(l.words.begin(), l.words.begin() + 3);
    for (std::size_t w = 3; w + 1 < l.words.size(); w += 2)
      if (from[block].contains(l.words[w + 1])) kept.insert(kept.end(), {l.words[w], l.words[w + 1]});
    kept[0] = static_cast<std::uint32_t>(kept.size()) << 16 | static_cast<std::uint32_t>(Op::OpPhi);
    l.words = std::move(kept);
  }
  return without(out, gone);
}

// One block where two follow each other and nothing else leads to the second; empty: there are no such two.
std::optional<Lines> joined(const Lines& lines) {
  const std::vector<Block> blocks = blocksOf(lines);
  std::map<std::uint32_t, std::size_t> arrivals;
  for (const Block& b : blocks) {
    for (const std::uint32_t id : b.next) ++arrivals[id];
    for (const std::uint32_t id : b.merges) arrivals[id] += 2;  // it has to stay
  }
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
    const Block &a = blocks[i], &b = blocks[i + 1];
    const bool follows = a.next.size() == 1 && a.next[0] == b.id && a.merges.empty() && a.last == b.first && arrivals[b.id] == 1;
    if (!follows || lines[a.last - 1].op != Op::OpBranch || lines[b.first + 1].op == Op::OpPhi) continue;
    Lines out = lines;
    for (Line& l : out)
      for (std::size_t w = 4; l.op == Op::OpPhi && w < l.words.size(); w += 2)
        if (l.words[w] == b.id) l.words[w] = a.id;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(a.last - 1), out.begin() + static_cast<std::ptrdiff_t>(b.first + 1));
    return out;
  }
  return {};
}

class Reducer {
 public:
  Reducer(spirv::Module module, const std::function<bool(const ShaderModule&)>& shows, const ReduceLimits& limits)
      : module_(std::move(module)), shows_(shows), limits_(limits), lines_(linesOf(module_)) {
    best_.module.name = module_.name;
    best_.module.words = module_.words;
    best_.before = size(lines_);
  }

  Reduced take() && {
    for (bool better = true; better && !over();) {
      better = dropUnused();
      better = functions() || better;
      better = straighten() || better;
      better = zeros() || better;
      better = join() || better;
    }
    best_.after = size(lines_);
    best_.finished = !over();
    return std::move(best_);
  }

 private:
  static std::size_t size(const Lines& lines) {
    return static_cast<std::size_t>(std::ranges::count_if(lines, [](const Line& l) { return l.inside && !l.says && l.marker == 0; }));
  }
  bool over() const { return best_.tried >= limits_.modules || (limits_.stop && limits_.stop->load(std::memory_order_relaxed)); }

  bool attempt(const Lines& lines) {
    if (over() || (!limits_.endless && hasEndlessLoop(lines))) return false;
    ShaderModule made{module_.name, Words(module_.words.begin(), module_.words.begin() + 5)};
    made.words[3] = bound_ = std::max(bound_, module_.bound);
    for (const Line& l : lines) made.words.insert(made.words.end(), l.words.begin(), l.words.end());
    if (spirv::validate(made.name, made.words)) return false;
    Expected<spirv::Module> parsed = spirv::parse(made.name, made.words);
    if (!parsed) return false;
    ++best_.tried;
    if (!shows_(made)) return false;
    lines_ = linesOf(*parsed);
    best_.module = std::move(made);
    return true;
  }

  // Instructions whose result nobody uses, many at once and then fewer, from the end.
  bool dropUnused() {
    bool better = false;
    for (std::size_t many = lines_.size(); many > 0 && !over();) {
      const std::map<std::uint32_t, std::size_t> uses = countUses(lines_);
      std::vector<std::size_t> unused;
      for (std::size_t i = 0; i < lines_.size(); ++i)
        if (isUnused(i, uses)) unused.push_back(i);
      many = std::min(many, unused.size());
      bool dropped = false;
      for (std::size_t end = unused.size(); end > 0 && !dropped && many > 0; end -= std::min(end, many)) {
        const std::size_t begin = end - std::min(end, many);
        dropped = attempt(
            without(lines_, {unused.begin() + static_cast<std::ptrdiff_t>(begin), unused.begin() + static_cast<std::ptrdiff_t>(end)}));
      }
      better = better || dropped;
      if (!dropped) many /= 2;
    }
    return better;
  }

  bool isUnused(std::size_t i, const std::map<std::uint32_t, std::size_t>& uses) const {
    const Line& l = lines_[i];
    if (isFrame(l)) return false;
    // Without it what follows would be said to be from elsewhere.
    if (l.marker != 0) return i + 1 < lines_.size() && lines_[i + 1].marker == l.marker;
    return l.result == 0 || !uses.contains(l.result);
  }

  // Functions that nobody calls.
  bool functions() {
    bool better = false;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].op != Op::OpFunction) continue;
      std::set<std::size_t> gone;
      for (std::size_t at = i; at < lines_.size() && lines_[at].inside; ++at) {
        gone.insert(at);
        if (lines_[at].op == Op::OpFunctionEnd) break;
      }
      const std::uint32_t id = lines_[i].result;
      const bool isUsed = std::ranges::any_of(lines_, [&](const Line& l) { return !l.says && std::ranges::count(l.uses, id) != 0; });
      if (!isUsed && attempt(without(lines_, gone))) {
        better = true;
        --i;
      }
    }
    return better;
  }

  // Goes on at one side of a branch, or behind a loop that does not go round.
  bool straighten() {
    bool better = false;
    for (std::size_t i = lines_.size(); i-- > 0 && !over();) {
      if (i >= lines_.size()) continue;
      if (!lines_[i].targets.empty() && lines_[i].op != Op::OpBranch) {
        better = goesOn(i) || better;
      } else if (lines_[i].op == Op::OpLoopMerge) {
        better = attempt(pruned(without(lines_, {i}))) || better;
      }
    }
    return better;
  }

  // At the side that leaves least, if that will do.
  bool goesOn(std::size_t branch) {
    std::vector<Lines> sides;
    for (const std::uint32_t target : std::set(lines_[branch].targets.begin(), lines_[branch].targets.end()))
      sides.push_back(straight(branch, target));
    std::ranges::stable_sort(sides, {}, &Lines::size);
    return std::ranges::any_of(sides, [this](const Lines& side) { return attempt(side); });
  }

  Lines straight(std::size_t branch, std::uint32_t target) const {
    Lines changed = lines_;
    Line& l = changed[branch];
    l.words = {2u << 16 | static_cast<std::uint32_t>(Op::OpBranch), target};
    l.op = Op::OpBranch;
    l.uses = l.targets = {target};
    std::set<std::size_t> gone;
    if (branch != 0 && changed[branch - 1].op == Op::OpSelectionMerge) gone.insert(branch - 1);
    return pruned(without(changed, gone));
  }

  // Blocks that only follow each other.
  bool join() {
    Lines all = lines_;
    bool any = false;
    for (std::optional<Lines> fewer = joined(all); fewer; fewer = joined(all)) {
      all = std::move(*fewer);
      any = true;
    }
    return any && attempt(all);
  }

  // Lets what uses a value use zero in its place.
  bool zeros() {
    bool better = false;
    for (std::size_t i = lines_.size(); i-- > 0 && !over();) {
      if (i >= lines_.size()) continue;
      const Line& l = lines_[i];
      const auto type = std::ranges::find(lines_, l.type, &Line::result);
      const bool isPointer = type != lines_.end() && type->op == Op::OpTypePointer;
      if (!l.inside || l.result == 0 || l.type == 0 || isPointer || isFrame(l) || l.says) continue;
      if (!countUses(lines_).contains(l.result)) continue;
      better = zero(i) || better;
    }
    return better;
  }

  bool zero(std::size_t at) {
    Lines changed = lines_;
    const std::uint32_t type = lines_[at].type, result = lines_[at].result;
    const auto known = std::ranges::find_if(changed, [&](const Line& l) { return l.op == Op::OpConstantNull && l.type == type; });
    const std::uint32_t bound = bound_;
    const bool fresh = known == changed.end();
    const std::uint32_t null = fresh ? std::max(bound_, module_.bound) : known->result;
    for (Line& l : changed) {
      if (l.says || std::ranges::count(l.uses, result) == 0) continue;
      for (std::size_t w = l.result != 0 ? 3 : 1; w < l.words.size(); ++w)
        if (l.words[w] == result) l.words[w] = null;
    }
    changed = without(changed, {at});
    if (fresh) {
      bound_ = null + 1;
      Line l{.words = {3u << 16 | static_cast<std::uint32_t>(Op::OpConstantNull), type, null},
             .op = Op::OpConstantNull,
             .type = type,
             .result = null};
      const auto first = std::ranges::find(changed, Op::OpFunction, &Line::op);
      changed.insert(first, std::move(l));
    }
    if (attempt(changed)) return true;
    bound_ = bound;
    return false;
  }

  spirv::Module module_;
  const std::function<bool(const ShaderModule&)>& shows_;
  const ReduceLimits& limits_;
  Lines lines_;
  std::uint32_t bound_ = 0;
  Reduced best_;
};

}  // namespace

Expected<Reduced> reduceModule(const ShaderModule& module, const std::function<bool(const ShaderModule&)>& shows,
                               const ReduceLimits& limits) {
  if (Status error = spirv::validate(module.name, module.words)) return *error;
  Expected<spirv::Module> parsed = spirv::parse(module.name, module.words);
  if (!parsed) return parsed.error();
  return Reducer(std::move(*parsed), shows, limits).take();
}

}  // namespace lanewise
