// A random kernel as SPIR-V assembly. Types and constants are declared as they are first needed and written before the functions.
#include "tests/random/lines.h"

namespace lanewise::random {
namespace {

class Writer : private Lines {
 public:
  explicit Writer(const Kernel& kernel) : k_(kernel) {}

  std::string text() {
    for (std::size_t f = 0; f < k_.functions.size(); ++f)
      if (!k_.sparse || usesOf(k_.body).functions >> f & 1) function(f);
    entry();
    return header() + globals + code;
  }

 private:
  std::string variableName(Width w, std::uint64_t i) const { return fmt::format("%{}v_{}_{}", prefix_, typeName(w) + 1, i); }
  std::string load(Width w, const std::string& pointer) { return make(fmt::format("OpLoad {} {}", typeName(w), pointer)); }

  std::string operation(const Expr& e) {
    const Operation& row = operations()[e.value];
    const bool hide = hides(k_.rewrites, row);
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      std::string value = expr(e.operands[i]);
      if (hide) value = hidden(*this, value, e.operands[i].width, 31);
      operands.push_back(guarded(*this, value, e.operands[i].width, row.guards[i]));
    }
    if (!hide) return applied(row.opcode, typeName(e.width), operands);
    const std::string result = otherwise(*this, row, operands);
    return hidden(*this, result.empty() ? applied(row.opcode, typeName(e.width), operands) : result, e.width, 30);
  }

  std::string indexed(const char* pointer, const std::string& base, const std::string& index, std::uint64_t count, bool block) {
    const std::string at = guardedIndex(index, count);
    return make(fmt::format("OpAccessChain {} {}{} {}", pointer, base, block ? " " + u32(0) : "", at));
  }
  std::string guardedIndex(const std::string& index, std::uint64_t count) {
    return make(fmt::format("OpBitwiseAnd %u32 {} {}", index, u32(count - 1)));
  }

  std::string expr(const Expr& e) {
    using K = Expr::Kind;
    switch (e.kind) {
      case K::kConstant:
        return constant(e.width, e.value);
      case K::kVariable:
        return load(e.width, variableName(e.width, e.value));
      case K::kCounter:
        return load(Width::kU32, fmt::format("%{}counter_{}", prefix_, e.value));
      case K::kLocalId:
        return load(Width::kU32, "%local_index");
      case K::kGroupId:
        return make(fmt::format("OpCompositeExtract %u32 {} 0", make("OpLoad %v3 %group_id")));
      case K::kPush:
        return load(Width::kU32, make(fmt::format("OpAccessChain %p_push_u32 %push {}", u32(e.value))));
      case K::kInput:
        return load(Width::kU32, indexed("%p_buffer_u32", "%input", expr(e.operands[0]), kInputs, true));
      case K::kElement:
        return load(Width::kU32, indexed("%p_fn_u32", fmt::format("%{}array", prefix_), expr(e.operands[0]), kElements, false));
      case K::kOperation:
        return operation(e);
    }
    return "";
  }

  void store(Width w, std::uint32_t target, const std::string& value) {
    line(fmt::format("OpStore {} {}", variableName(w, target), value));
  }
  void barrier() { line(fmt::format("OpControlBarrier {} {} {}", u32(2), u32(2), u32(0x108))); }

  void statements(const std::vector<Stmt>& list) {
    for (const Stmt& s : list) statement(s);
  }

  // If `condition` then go to `target`, else go on.
  void leaveIf(const std::string& condition, const std::string& target) {
    const std::string leave = id(), merge = id();
    line("OpSelectionMerge " + merge + " None");
    line(fmt::format("OpBranchConditional {} {} {}", condition, leave, merge));
    label(leave);
    line("OpBranch " + target);
    label(merge);
  }

  void statement(const Stmt& s) {
    using K = Stmt::Kind;
    switch (s.kind) {
      case K::kAssign:
        return store(s.exprs[0].width, s.target, expr(s.exprs[0]));
      case K::kElement: {
        const std::string at = indexed("%p_fn_u32", fmt::format("%{}array", prefix_), expr(s.exprs[0]), kElements, false);
        return line(fmt::format("OpStore {} {}", at, expr(s.exprs[1])));
      }
      case K::kIf:
        return branch(s);
      case K::kLoop:
        return loop(s);
      case K::kSwitch:
        return choice(s);
      case K::kBreakIf:
        return leaveIf(expr(s.exprs[0]), break_);
      case K::kContinueIf:
        return leaveIf(expr(s.exprs[0]), continue_);
      case K::kReturnIf: {
        const std::string condition = expr(s.exprs[0]), value = expr(s.exprs[1]), leave = id(), merge = id();
        line("OpSelectionMerge " + merge + " None");
        line(fmt::format("OpBranchConditional {} {} {}", condition, leave, merge));
        label(leave);
        line("OpReturnValue " + value);
        label(merge);
        return;
      }
      case K::kCall:
        return store(Width::kU32, s.target,
                     make(fmt::format("OpFunctionCall %u32 %f{} {} {}", s.callee, expr(s.exprs[0]), variableName(Width::kU32, s.other))));
      case K::kExchange: {
        const std::string value = expr(s.exprs[0]), from = expr(s.exprs[1]);
        line(fmt::format("OpStore {} {}", make(fmt::format("OpAccessChain %p_shared_u32 %shared {}", load(Width::kU32, "%local_index"))),
                         value));
        barrier();
        store(Width::kU32, s.target, load(Width::kU32, indexed("%p_shared_u32", "%shared", from, k_.localSize, false)));
        return barrier();
      }
      case K::kSubgroup:
        return subgroup(s);
      case K::kAtomic: {
        static constexpr const char* ops[kSlots] = {"IAdd", "Xor", "UMax", "Or", "And", "SMin", "IAdd", "UMin"};
        const std::string value = expr(s.exprs[0]);  // a slot has one operation, so that the order does not matter
        const std::string at = make(fmt::format("OpAccessChain %p_buffer_u32 %sums {} {}", u32(0), u32(s.target)));
        make(fmt::format("OpAtomic{} %u32 {} {} {} {}", ops[s.target], at, u32(1), u32(0), value));
        return;
      }
    }
  }

  void subgroup(const Stmt& s) {
    const SubgroupOperation& row = subgroupOperations()[s.callee];
    std::string value = expr(s.exprs[0]);
    if (row.ballot) {
      const std::string low = make(fmt::format("OpBitwiseAnd %u32 {} {}", value, u32(1)));
      const std::string odd = make(fmt::format("OpINotEqual %bool {} {}", low, u32(0)));
      value = make(fmt::format("OpGroupNonUniformBallot %v4 {} {}", u32(3), odd));
      if (std::string_view(row.opcode).ends_with("FindLSB")) {  // undefined where no bit is set
        const std::string any = make(fmt::format("OpGroupNonUniformAny %bool {} {}", u32(3), odd));
        const std::string found = make(fmt::format("OpGroupNonUniformBallotFindLSB %u32 {} {}", u32(3), value));
        return store(Width::kU32, s.target, make(fmt::format("OpSelect %u32 {} {} {}", any, found, u32(77))));
      }
    }
    store(Width::kU32, s.target,
          make(fmt::format("{} %u32 {} {} {} {}", row.opcode, u32(3), row.group, value,
                           row.extra < 0 ? "" : u32(static_cast<std::uint64_t>(row.extra)))));
  }

  void branch(const Stmt& s) {
    const std::string condition = expr(s.exprs[0]), yes = id(), no = id(), merge = id();
    const bool both = !s.bodies[1].empty();
    line("OpSelectionMerge " + merge + " None");
    line(fmt::format("OpBranchConditional {} {} {}", condition, yes, both ? no : merge));
    label(yes);
    statements(s.bodies[0]);
    line("OpBranch " + merge);
    if (both) {
      label(no);
      statements(s.bodies[1]);
      line("OpBranch " + merge);
    }
    label(merge);
  }

  void loop(const Stmt& s) {
    const std::string rounds = make(fmt::format("OpBitwiseAnd %u32 {} {}", expr(s.exprs[0]), u32(7)));
    const std::string counter = fmt::format("%{}counter_{}", prefix_, s.target);
    const std::string head = id(), test = id(), body = id(), next = id(), merge = id();
    line(fmt::format("OpStore {} {}", counter, u32(0)));
    line("OpBranch " + head);
    label(head);
    line(fmt::format("OpLoopMerge {} {} None", merge, next));
    line("OpBranch " + test);
    label(test);
    line(fmt::format("OpBranchConditional {} {} {}", make(fmt::format("OpULessThan %bool {} {}", load(Width::kU32, counter), rounds)), body,
                     merge));
    label(body);
    const std::string outerBreak = std::exchange(break_, merge), outerContinue = std::exchange(continue_, next);
    statements(s.bodies[0]);
    break_ = outerBreak;
    continue_ = outerContinue;
    line("OpBranch " + next);
    label(next);
    line(fmt::format("OpStore {} {}", counter, make(fmt::format("OpIAdd %u32 {} {}", load(Width::kU32, counter), u32(1)))));
    line("OpBranch " + head);
    label(merge);
  }

  void choice(const Stmt& s) {
    const std::string selector = make(fmt::format("OpUMod %u32 {} {}", expr(s.exprs[0]), u32(s.bodies.size() + 1))), merge = id();
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < s.bodies.size(); ++i) labels.push_back(id());
    std::string cases;
    for (std::size_t i = 1; i < labels.size(); ++i) cases += fmt::format(" {} {}", i - 1, labels[i]);
    line("OpSelectionMerge " + merge + " None");
    line(fmt::format("OpSwitch {} {}{}", selector, labels[0], cases));
    for (std::size_t i = 0; i < labels.size(); ++i) {
      label(labels[i]);
      statements(s.bodies[i]);
      const bool falls = i > 0 && i + 1 < labels.size() && (s.falls >> i & 1);
      line("OpBranch " + (falls ? labels[i + 1] : merge));
    }
    label(merge);
  }

  bool variableUsed(Width w, std::uint32_t i) const { return !k_.sparse || uses_.variables[static_cast<std::size_t>(w)] >> i & 1; }
  bool counterUsed(std::uint32_t c) const { return !k_.sparse || uses_.counters >> c & 1; }
  bool arrayUsed() const { return !k_.sparse || uses_.array; }

  void declare() {
    for (const Width w : widths())
      for (std::uint32_t i = 0; i < kVariables; ++i)
        if (variableUsed(w, i)) line(fmt::format("{} = OpVariable %p_fn_{} Function", variableName(w, i), typeName(w) + 1));
    for (std::uint32_t c = 0; c < k_.counters; ++c)
      if (counterUsed(c)) line(fmt::format("%{}counter_{} = OpVariable %p_fn_u32 Function", prefix_, c));
    if (arrayUsed()) line(fmt::format("%{}array = OpVariable %p_fn_array Function", prefix_));
  }

  void initialise(const std::string& start) {
    for (const Width w : widths())
      for (std::uint32_t i = 0; i < kVariables; ++i) {
        if (!variableUsed(w, i)) continue;
        std::string value = make(fmt::format("OpIMul %u32 {} {}", start, u32(2 * i + 1)));
        if (w != Width::kU32) value = make(fmt::format("OpUConvert {} {}", typeName(w), value));
        store(w, i, value);
      }
    for (std::uint32_t c = 0; c < k_.counters; ++c)
      if (counterUsed(c)) line(fmt::format("OpStore %{}counter_{} {}", prefix_, c, u32(0)));
    if (!arrayUsed()) return;
    for (std::uint32_t i = 0; i < kElements; ++i)
      line(fmt::format("OpStore {} {}", make(fmt::format("OpAccessChain %p_fn_u32 %{}array {}", prefix_, u32(i))), u32(i * 0x01010101u)));
  }

  std::vector<Width> widths() const {
    std::vector<Width> out{Width::kU32};
    if (k_.narrow) {
      out.push_back(Width::kU8);
      out.push_back(Width::kU16);
    }
    if (k_.wide) out.push_back(Width::kU64);
    return out;
  }

  void function(std::size_t f) {
    prefix_ = fmt::format("f{}_", f);
    uses_ = usesOf(k_.functions[f]);
    line(fmt::format("%f{} = OpFunction %u32 None %fn_type", f));
    line(fmt::format("%f{}_value = OpFunctionParameter %u32", f));
    line(fmt::format("%f{}_pointer = OpFunctionParameter %p_fn_u32", f));
    label(id());
    declare();
    initialise(fmt::format("%f{}_value", f));
    store(Width::kU32, 1, load(Width::kU32, fmt::format("%f{}_pointer", f)));
    statements(k_.functions[f].body);
    const std::string sum = make(fmt::format("OpBitwiseXor %u32 {} {}", load(Width::kU32, fmt::format("%f{}_pointer", f)),
                                             load(Width::kU32, variableName(Width::kU32, 0))));
    line(fmt::format("OpStore %f{}_pointer {}", f, sum));
    line("OpReturnValue " + expr(k_.functions[f].result));
    line("OpFunctionEnd");
  }

  void entry() {
    prefix_ = "m_";
    uses_ = usesOf(k_.body);
    line("%main = OpFunction %void None %main_type");
    label("%start");
    declare();
    line("%gid3 = OpLoad %v3 %global_id");
    line("%gid = OpCompositeExtract %u32 %gid3 0");
    initialise("%gid");
    statements(k_.body);
    std::uint32_t word = 0;
    const std::string base = make(fmt::format("OpIMul %u32 %gid {}", u32(outputWords(k_))));
    const auto put = [&](const std::string& value) {
      const std::string index = make(fmt::format("OpIAdd %u32 {} {}", base, u32(word++)));
      line(fmt::format("OpStore {} {}", make(fmt::format("OpAccessChain %p_buffer_u32 %output {} {}", u32(0), index)), value));
    };
    for (const Width w : widths())
      for (std::uint32_t i = 0; i < kVariables; ++i) {
        if (!variableUsed(w, i)) continue;
        const std::string value = load(w, variableName(w, i));
        if (w == Width::kU32) {
          put(value);
          continue;
        }
        put(make("OpUConvert %u32 " + value));
        if (w == Width::kU64) put(make("OpUConvert %u32 " + make(fmt::format("OpShiftRightLogical %u64 {} {}", value, u32(32)))));
      }
    for (std::uint32_t i = 0; arrayUsed() && i < kElements; ++i)
      put(load(Width::kU32, make(fmt::format("OpAccessChain %p_fn_u32 %m_array {}", u32(i)))));
    line("OpReturn");
    line("OpFunctionEnd");
  }

  std::string header() const {
    std::string out = "OpCapability Shader\n";
    if (k_.narrow) out += "OpCapability Int8\nOpCapability Int16\n";
    if (k_.wide) out += "OpCapability Int64\n";
    if (k_.subgroups)
      for (const char* c : {"", "Vote", "Ballot", "Arithmetic", "Shuffle", "Quad"})
        out += fmt::format("OpCapability GroupNonUniform{}\n", c);
    out +=
        "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %main \"main\" %input %output %sums %push %shared %local_index %group_id %global_id\n";
    out += fmt::format("OpExecutionMode %main LocalSize {} 1 1\n", k_.localSize);
    out +=
        "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %push_block Block\n"
        "OpDecorate %local_index BuiltIn LocalInvocationIndex\nOpDecorate %group_id BuiltIn WorkgroupId\nOpDecorate %global_id BuiltIn "
        "GlobalInvocationId\n";
    for (std::uint32_t i = 0; i < kPushWords; ++i) out += fmt::format("OpMemberDecorate %push_block {} Offset {}\n", i, 4 * i);
    const char* names[] = {"input", "output", "sums"};
    for (std::uint32_t i = 0; i < 3; ++i)
      out += fmt::format("OpDecorate %{} DescriptorSet 0\nOpDecorate %{} Binding {}\n", names[i], names[i], i);
    out +=
        "%void = OpTypeVoid\n%main_type = OpTypeFunction %void\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n%false = OpConstantFalse "
        "%bool\n"
        "%u32 = OpTypeInt 32 0\n%v3 = OpTypeVector %u32 3\n%v4 = OpTypeVector %u32 4\n%pair = OpTypeStruct %u32 %u32\n";
    for (const Width w : widths())
      if (w != Width::kU32) out += fmt::format("{} = OpTypeInt {} 0\n", typeName(w), bits(w));
    for (const Width w : widths()) out += fmt::format("%i{} = OpTypeInt {} 1\n", bits(w), bits(w));
    for (const Width w : widths()) out += fmt::format("%p_fn_{} = OpTypePointer Function {}\n", typeName(w) + 1, typeName(w));
    out += fmt::format(
        "%n_elements = OpConstant %u32 {}\n%array_type = OpTypeArray %u32 %n_elements\n%p_fn_array = OpTypePointer Function %array_type\n",
        kElements);
    out += fmt::format(
        "%n_shared = OpConstant %u32 {}\n%shared_type = OpTypeArray %u32 %n_shared\n%p_shared = OpTypePointer Workgroup %shared_type\n"
        "%p_shared_u32 = OpTypePointer Workgroup %u32\n%shared = OpVariable %p_shared Workgroup\n",
        k_.localSize);
    out +=
        "%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n%p_block = OpTypePointer StorageBuffer %block\n%p_buffer_u32 = "
        "OpTypePointer StorageBuffer %u32\n"
        "%input = OpVariable %p_block StorageBuffer\n%output = OpVariable %p_block StorageBuffer\n%sums = OpVariable %p_block "
        "StorageBuffer\n"
        "%push_block = OpTypeStruct %u32 %u32\n%p_push = OpTypePointer PushConstant %push_block\n%p_push_u32 = OpTypePointer PushConstant "
        "%u32\n"
        "%push = OpVariable %p_push PushConstant\n%p_in_u32 = OpTypePointer Input %u32\n%p_in_v3 = OpTypePointer Input %v3\n"
        "%local_index = OpVariable %p_in_u32 Input\n%group_id = OpVariable %p_in_v3 Input\n%global_id = OpVariable %p_in_v3 Input\n"
        "%fn_type = OpTypeFunction %u32 %u32 %p_fn_u32\n";
    return out;
  }

  const Kernel& k_;
  Uses uses_;
  std::string prefix_, break_, continue_;
};

}  // namespace

std::string assembly(const Kernel& kernel) {
  return Writer(kernel).text();
}

}  // namespace lanewise::random
