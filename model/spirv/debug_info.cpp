#include "model/spirv/debug_info.h"

#include <algorithm>
#include <unordered_set>

#include "model/spirv/source_words.h"
#include "model/spirv/wrapped_entry.h"

namespace lanewise::spirv {
namespace {

constexpr std::uint32_t kMaxScopeDepth = 256;  // of scopes in scopes and of calls in calls

// The source text from where lines are counted: glslang puts its own comments before the author's first line.
std::string authorsText(std::string text) {
  constexpr std::string_view kOwn = "// OpModuleProcessed", kFirst = "#line 1\n";
  if (!text.starts_with(kOwn)) return text;
  const std::size_t first = text.find(kFirst);
  return first == std::string::npos ? text : text.substr(first + kFirst.size());
}

bool isSpecConstant(spv::Op op) {
  return op == spv::Op::OpSpecConstant || op == spv::Op::OpSpecConstantTrue || op == spv::Op::OpSpecConstantFalse ||
         op == spv::Op::OpSpecConstantComposite || op == spv::Op::OpSpecConstantOp;
}

// Operands that may be variables of a function.
std::span<const std::uint32_t> pointersOf(const Instruction& inst) {
  switch (inst.op) {
    case spv::Op::OpLoad:
    case spv::Op::OpStore:
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      return inst.operands.first(std::min<std::size_t>(inst.operands.size(), 1));
    case spv::Op::OpCopyMemory:
      return inst.operands.first(std::min<std::size_t>(inst.operands.size(), 2));
    case spv::Op::OpFunctionCall:
      return inst.operands;
    case spv::Op::OpExtInst:  // Modf and its like
      return inst.operands.size() > 2 ? inst.operands.subspan(2) : std::span<const std::uint32_t>{};
    default:
      return {};
  }
}

// Tracks the current line through a function's instructions. A line ends with its block, and compilers write none behind a choice within
// one (`x = a ? b : c`, `a && b()`): where the sides of a choice meet again, the line goes on that it was made in.
class LineReader {
 public:
  LineReader(const Module& module) : set_(module) {}

  SourceLine next(const Instruction& inst) {
    switch (inst.op) {
      case spv::Op::OpLine:
        set({inst.operand(0), inst.operand(1), inst.operand(2)});
        break;
      case spv::Op::OpSelectionMerge:
        behind_[inst.operand(0)] = line_;
        break;
      case spv::Op::OpLabel: {
        const auto choice = behind_.find(inst.result);
        set(choice == behind_.end() ? SourceLine() : choice->second);
        isKept_ = true;
        return {};
      }
      case spv::Op::OpBranch:
      case spv::Op::OpReturn:  // nothing of the choice is left
        return isKept_ ? SourceLine() : line_;
      case spv::Op::OpNoLine:
      case spv::Op::OpFunctionEnd:
        set({});
        break;
      default:
        if (const auto e = set_.entry(inst)) debugLine(*e);
        break;
    }
    return line_;
  }

 private:
  void set(SourceLine line) {
    line_ = line;
    isKept_ = false;
  }
  void debugLine(const DebugEntry& e) {
    if (e.op == NonSemanticShaderDebugInfo100DebugNoLine) set({});
    if (e.op != NonSemanticShaderDebugInfo100DebugLine) return;
    const auto source = set_.entry(e.operand(0));
    set({source ? source->operand(0) : 0, set_.number(e, 1), set_.number(e, 3)});
  }

  DebugSet set_;
  SourceLine line_;
  bool isKept_ = false;                                   // since the sides of a choice have met
  std::unordered_map<std::uint32_t, SourceLine> behind_;  // by the label where they meet
};

class DebugReader {
 public:
  explicit DebugReader(const Module& module) : m_(module), set_(module), types_(module, set_) {}

  DebugInfo run() {
    types_.setLanguage(sourceLanguage(m_));  // names of types depend on it
    out_.isComplete = set_.any();
    for (std::uint32_t i = 0; i < m_.instructions.size(); ++i) instruction(i);
    findUses();
    for (std::uint32_t i = 0; i < m_.instructions.size(); ++i) named(i);
    std::ranges::stable_sort(out_.locations, {}, &DebugLocation::instruction);
    out_.types = types_.take();
    for (const FunctionRange& f : m_.functions)
      if (wrappedCall(m_, f)) out_.scopes[functionScope(f.id)].isWrapper = true;
    return std::move(out_);
  }

 private:
  void instruction(std::uint32_t i) {
    const Instruction& inst = m_.instructions[i];
    switch (inst.op) {
      case spv::Op::OpSource:
        if (inst.operands.size() > 2) source(inst.operand(2), literalString(inst.operands.subspan(3)));
        break;
      case spv::Op::OpSourceContinued:
        if (!out_.sources.empty()) out_.sources.back().text += literalString(inst.operands);
        break;
      case spv::Op::OpFunction:
        function_ = inst.result;
        enter(i, {functionScope(function_), 0});
        break;
      case spv::Op::OpLabel:  // a DebugScope ends with its block
        enter(i, {functionScope(function_), 0});
        break;
      case spv::Op::OpFunctionEnd:
        function_ = 0;
        early_.clear();
        enter(i, {});
        break;
      default:
        if (const auto e = set_.entry(inst)) entry(i, inst, *e);
    }
  }

  void entry(std::uint32_t i, const Instruction& inst, const DebugEntry& e) {
    switch (e.op) {
      case NonSemanticShaderDebugInfo100DebugSource:
        source(e.operand(0), m_.string(e.operand(1)));
        break;
      case NonSemanticShaderDebugInfo100DebugSourceContinued:
        if (!out_.sources.empty()) out_.sources.back().text += set_.text(e, 0);
        break;
      case NonSemanticShaderDebugInfo100DebugFunction:
        if (e.literals && e.operand(9) != 0) define(scope(inst.result), e.operand(9));
        break;
      case NonSemanticShaderDebugInfo100DebugFunctionDefinition:
        define(scope(e.operand(0)), e.operand(1));
        break;
      case NonSemanticShaderDebugInfo100DebugScope: {
        DebugPlace place{scope(e.operand(0)), inlinedAt(e.operand(1))};
        if (place.inlinedAt == 0 && out_.functionOf(place.scope) == 0) place.scope = functionScope(function_);  // glslang 15, in a wrapper
        enter(i, place);
        break;
      }
      case NonSemanticShaderDebugInfo100DebugNoScope:
        enter(i, {functionScope(function_), 0});
        break;
      case NonSemanticShaderDebugInfo100DebugGlobalVariable:
        globalVariable(i, inst, e);
        break;
      case NonSemanticShaderDebugInfo100DebugLocalVariable:  // it may have no place
        localVariable(inst.result);
        break;
      case NonSemanticShaderDebugInfo100DebugDeclare:
      case NonSemanticShaderDebugInfo100DebugValue:
        location(i, e);
        break;
      default:
        break;
    }
  }

  void source(std::uint32_t file, std::string text) {
    for (DebugSource& s : out_.sources)
      if (s.file == file && s.text.empty()) {
        s.text = authorsText(std::move(text));
        return;
      }
    out_.sources.push_back({file, m_.string(file), authorsText(std::move(text))});
  }

  void enter(std::uint32_t instruction, DebugPlace place) {
    if (!(out_.places.back().second == place)) out_.places.emplace_back(instruction, place);
    if (place.inlinedAt == 0) return;
    std::erase_if(early_, [&](std::size_t l) {
      DebugLocation& at = out_.locations[l];
      if (out_.functionOf(out_.variables[at.variable].scope) != out_.functionOf(place.scope)) return false;
      at.inlinedAt = place.inlinedAt;
      return true;
    });
  }

  // The copy of its function that a variable is in. spirv-opt sets the arguments of a call that it inlines before it enters the call's
  // scope: they belong to the copy that begins next. What is set behind the call may still be in that scope.
  void place(DebugLocation& at) {
    const std::uint32_t function = out_.functionOf(out_.variables[at.variable].scope);
    DebugPlace now = out_.places.back().second;
    at.inlinedAt = now.inlinedAt;
    while (out_.functionOf(now.scope) != function && now.inlinedAt != 0)
      now = {out_.inlined[now.inlinedAt].scope, out_.inlined[now.inlinedAt].inlinedAt};
    if (out_.functionOf(now.scope) == function)
      at.inlinedAt = now.inlinedAt;
    else if (function != 0)
      early_.push_back(out_.locations.size());
  }

  void define(std::uint32_t scope, std::uint32_t function) {
    if (scope == 0) return;
    out_.scopes[scope].function = function;
    ofFunction_[function] = scope;
  }

  // The scope of a function, from its debug information or its name. DebugFunctionDefinition is in the function's body, so it is searched
  // there.
  std::uint32_t functionScope(std::uint32_t id) {
    if (id == 0) return 0;
    const auto [known, isNew] = ofFunction_.try_emplace(id, 0);
    if (!isNew) return known->second;
    if (const std::uint32_t defined = definitionOf(id)) return ofFunction_[id] = defined;
    DebugScope s;
    s.kind = DebugScope::Kind::kFunction;
    s.name = functionName(m_.nameOf(id));
    for (const EntryPoint& e : m_.entryPoints)
      if (e.function == id && !m_.names.contains(id)) s.name = e.name;
    if (const Instruction* inst = m_.definition(id)) s.declared = inst->source;
    s.function = id;
    out_.scopes.push_back(std::move(s));
    return ofFunction_[id] = static_cast<std::uint32_t>(out_.scopes.size() - 1);
  }

  std::uint32_t definitionOf(std::uint32_t function) {
    const FunctionRange* range = set_.any() ? m_.function(function) : nullptr;
    for (std::uint32_t i = range ? range->first : 0; range && i < range->last; ++i)
      if (const auto e = set_.entry(m_.instructions[i]);
          e && e->op == NonSemanticShaderDebugInfo100DebugFunctionDefinition && e->operand(1) == function) {
        const std::uint32_t found = scope(e->operand(0));
        define(found, function);
        return found;
      }
    return 0;
  }

  SourceLine declaredAt(const DebugEntry& e, std::size_t source) const {
    const auto file = set_.entry(e.operand(source));
    return {file ? file->operand(0) : 0, set_.number(e, source + 1), set_.number(e, source + 2)};
  }

  std::uint32_t scope(std::uint32_t id, std::uint32_t depth = 0) {
    const std::optional<DebugEntry> e = set_.entry(id);
    if (!e || depth > kMaxScopeDepth) return 0;
    const auto [known, isNew] = scopes_.try_emplace(id, 0);
    if (!isNew) return known->second;
    using Kind = DebugScope::Kind;
    DebugScope s;
    std::uint32_t parent = 0;
    switch (e->op) {
      case NonSemanticShaderDebugInfo100DebugCompilationUnit:
        s.kind = Kind::kUnit;
        break;
      case NonSemanticShaderDebugInfo100DebugFunction:
        s = {Kind::kFunction, functionName(set_.text(*e, 0)), declaredAt(*e, 2), 0, 0};
        parent = e->operand(5);
        break;
      case NonSemanticShaderDebugInfo100DebugTypeComposite:
        s = {Kind::kType, set_.text(*e, 0), declaredAt(*e, 2), 0, 0};
        parent = e->operand(5);
        break;
      case NonSemanticShaderDebugInfo100DebugLexicalBlock:
        s = {Kind::kBlock, set_.text(*e, 4), declaredAt(*e, 0), 0, 0};
        parent = e->operand(3);
        break;
      case NonSemanticShaderDebugInfo100DebugLexicalBlockDiscriminator:
        return scopes_[id] = scope(e->operand(2), depth + 1);
      default:
        return 0;
    }
    s.parent = scope(parent, depth + 1);
    out_.scopes.push_back(std::move(s));
    return scopes_[id] = static_cast<std::uint32_t>(out_.scopes.size() - 1);
  }

  std::uint32_t inlinedAt(std::uint32_t id, std::uint32_t depth = 0) {
    const std::optional<DebugEntry> e = set_.entry(id);
    if (!e || e->op != NonSemanticShaderDebugInfo100DebugInlinedAt || depth > kMaxScopeDepth) return 0;
    const auto [known, isNew] = inlined_.try_emplace(id, 0);
    if (!isNew) return known->second;
    DebugInlinedAt call;
    call.scope = scope(e->operand(1));
    call.call = {out_.scopes[call.scope].declared.file, set_.number(*e, 0), 0};
    call.inlinedAt = inlinedAt(e->operand(2), depth + 1);
    out_.inlined.push_back(call);
    return inlined_[id] = static_cast<std::uint32_t>(out_.inlined.size() - 1);
  }

  void globalVariable(std::uint32_t i, const Instruction& inst, const DebugEntry& e) {
    const std::uint32_t variable =
        newVariable(inst.result, {set_.text(e, 0), types_.ofDebug(e.operand(1)), scope(e.operand(5)), declaredAt(e, 2), 0, true, false});
    const Instruction* value = m_.definition(e.operand(7));
    if (!value || set_.entry(*value)) return;  // DebugInfoNone: it was removed
    located_.insert(value->result);
    out_.locations.push_back({variable, i, 0, value->result, value->op == spv::Op::OpVariable, true, {}});
  }

  std::uint32_t newVariable(std::uint32_t id, DebugVariable v) {
    out_.variables.push_back(std::move(v));
    return variables_[id] = static_cast<std::uint32_t>(out_.variables.size() - 1);
  }

  std::uint32_t localVariable(std::uint32_t id) {
    if (const auto known = variables_.find(id); known != variables_.end()) return known->second;
    std::optional<DebugEntry> e = set_.entry(id);
    if (e && e->op == NonSemanticShaderDebugInfo100DebugInlinedVariable) {
      id = e->operand(0);
      if (const auto known = variables_.find(id); known != variables_.end()) return known->second;
      e = set_.entry(id);
    }
    if (!e || e->op != NonSemanticShaderDebugInfo100DebugLocalVariable) return 0;
    return newVariable(
        id, {set_.text(*e, 0), types_.ofDebug(e->operand(1)), scope(e->operand(5)), declaredAt(*e, 2), set_.number(*e, 7), false, false});
  }

  void location(std::uint32_t i, const DebugEntry& e) {
    DebugLocation at;
    at.variable = localVariable(e.operand(0));
    if (at.variable == 0) return;
    at.instruction = i;
    place(at);
    at.value = e.operand(1);
    at.inMemory = e.op == NonSemanticShaderDebugInfo100DebugDeclare;
    for (std::size_t k = 3; k < e.operands.size(); ++k) at.path.push_back(constant(e.operands[k]));
    expression(e.operand(2), at);
    const Instruction* value = m_.definition(at.value);
    if (!value || value->op == spv::Op::OpUndef || set_.entry(*value)) at.isKnown = false;
    located_.insert(at.value);
    if (out_.variables[at.variable].type == 0 && value) out_.variables[at.variable].type = types_.ofSpirv(value->type);
    out_.locations.push_back(std::move(at));
  }

  std::uint32_t constant(std::uint32_t id) const {
    const Instruction* inst = m_.definition(id);
    return inst && inst->op == spv::Op::OpConstant ? inst->operand(0) : 0;
  }

  // A Deref of a DebugValue: the value is a pointer to the variable. Other operations are not followed.
  void expression(std::uint32_t id, DebugLocation& at) const {
    const std::optional<DebugEntry> e = set_.entry(id);
    if (!e || e->op != NonSemanticShaderDebugInfo100DebugExpression) return;
    for (const std::uint32_t operation : e->operands) {
      const std::optional<DebugEntry> o = set_.entry(operation);
      const bool deref =
          o && o->op == NonSemanticShaderDebugInfo100DebugOperation && set_.number(*o, 0) == NonSemanticShaderDebugInfo100Deref;
      at.isKnown = at.isKnown && deref && !at.inMemory;
      at.inMemory = at.inMemory || deref;
    }
  }

  // The first instruction of a function that names a variable.
  void findUses() {
    for (const FunctionRange& f : m_.functions)
      for (std::uint32_t i = f.first; i < f.last; ++i)
        for (const std::uint32_t id : pointersOf(m_.instructions[i]))
          if (const Instruction* of = m_.definition(id); of && of->op == spv::Op::OpVariable) firstUse_.try_emplace(id, i);
  }

  // Without debug information: every OpVariable, every specialization constant with a name, and every named parameter and value of a
  // function.
  void named(std::uint32_t i) {
    const Instruction& inst = m_.instructions[i];
    if (inst.op == spv::Op::OpFunction) function_ = inst.result;
    if (inst.op == spv::Op::OpFunctionEnd) function_ = 0;
    if (inst.result == 0 || inst.type == 0 || located_.contains(inst.result)) return;
    const Instruction* type = m_.definition(inst.type);
    if (!type) return;
    const bool pointer = type->op == spv::Op::OpTypePointer, variable = inst.op == spv::Op::OpVariable;
    const bool value = function_ != 0 && !out_.isComplete && m_.names.contains(inst.result) && inst.op != spv::Op::OpFunction &&
                       type->op != spv::Op::OpTypeVoid && (!pointer || inst.op == spv::Op::OpFunctionParameter);
    const bool constant = function_ == 0 && isSpecConstant(inst.op) &&
                          (m_.names.contains(inst.result) || m_.decoration(inst.result, spv::Decoration::SpecId));
    if (!variable && !value && !constant) return;
    // All variables of a function are declared at its beginning. Each is taken as declared where it is used first, as glslang's debug
    // information does.
    const auto use = variable && function_ != 0 ? firstUse_.find(inst.result) : firstUse_.end();
    const std::uint32_t from = use == firstUse_.end() ? i : use->second;
    const SourceLine declared = inst.source.line != 0 ? inst.source : m_.instructions[from].source;
    const auto name = m_.names.find(inst.result);  // empty for a block whose members have names
    out_.variables.push_back({name == m_.names.end() ? m_.nameOf(inst.result) : name->second,
                              types_.ofSpirv(pointer ? type->operand(1) : inst.type), functionScope(function_), declared, 0, function_ == 0,
                              out_.isComplete && !constant});
    out_.locations.push_back({static_cast<std::uint32_t>(out_.variables.size() - 1), from, 0, inst.result, pointer, true, {}});
  }

  const Module& m_;
  DebugSet set_;
  DebugTypes types_;
  DebugInfo out_;
  std::uint32_t function_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> scopes_, inlined_, variables_, ofFunction_;
  std::unordered_set<std::uint32_t> located_;  // ids that locations name
  std::vector<std::size_t> early_;             // locations whose copy of a function has not begun
  std::unordered_map<std::uint32_t, std::uint32_t> firstUse_;
};

}  // namespace

DebugInfo readDebugInfo(const Module& module) {
  return DebugReader(module).run();
}

void readLines(Module& module) {
  LineReader lines(module);
  for (Instruction& inst : module.instructions) inst.source = lines.next(inst);
  for (const FunctionRange& f : module.functions)
    if (const Instruction* call = wrappedCall(module, f)) clearAddedLines(module, f, *call);
}

}  // namespace lanewise::spirv
