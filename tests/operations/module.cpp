// A family's module as assembly.
#include <set>
#include <spirv-tools/libspirv.hpp>

#include "tests/operations/operations.h"
#include "tests/random/lines.h"

namespace lanewise::operations {
namespace {

using random::Width;

std::uint32_t bitsOf(const std::string& type) {
  return type == "bool" ? 1 : static_cast<std::uint32_t>(std::stoul(type.substr(1)));
}
Width widthOf(const std::string& type) {
  const std::uint32_t b = bitsOf(type);
  return b == 1 ? Width::kBool : b == 8 ? Width::kU8 : b == 16 ? Width::kU16 : b == 32 ? Width::kU32 : Width::kU64;
}
std::uint32_t wordsOf(const Row& row) {
  return row.opcode.starts_with("OpAtomic") ? 0 : bitsOf(row.result) == 64 ? 2 : 1;
}

std::set<std::string> typesOf(const Family& family) {
  std::set<std::string> types;
  for (const Row& r : family.rows) {
    types.insert(r.result);
    types.insert(r.arguments.begin(), r.arguments.end());
  }
  for (const char* pair : {"f16 u16", "f64 u64"})  // bits of the one come as the other
    if (types.contains(std::string(pair, 3))) types.insert(pair + 4);
  return types;
}

class Module : private random::Lines {
 public:
  explicit Module(const Family& family) : family_(family), types_(typesOf(family)) {}

  std::string text() {
    begin();
    std::uint32_t word = 0, number = 0;
    for (const Row& row : family_.rows) {
      this->row(row, word, number++);
      word += wordsOf(row);
    }
    line("OpReturn");
    line("OpFunctionEnd");
    return header() + globals + code;
  }

 private:
  void begin() {
    line("%main = OpFunction %void None %main_type");
    label("%start");
    n_ = make(fmt::format("OpCompositeExtract %u32 {} 0", make("OpLoad %v3 %global_id")));
    base_ = op("OpIMul", Width::kU32, n_, u32(words(family_)));
    const std::string first = op("OpIMul", Width::kU32, n_, u32(8));
    for (std::uint32_t i = 0; i < 8; ++i)
      words_[i] = make(fmt::format("OpLoad %u32 {}", at("%operands", op("OpIAdd", Width::kU32, first, u32(i)))));
  }

  std::string at(const char* buffer, const std::string& index) {
    return make(fmt::format("OpAccessChain %p_u32 {} {} {}", buffer, u32(0), index));
  }
  void put(std::uint32_t word, const std::string& value) {
    line(fmt::format("OpStore {} {}", at("%result", op("OpIAdd", Width::kU32, base_, u32(word))), value));
  }

  std::string cast(const std::string& type, const std::string& value) { return make(fmt::format("OpBitcast %{} {}", type, value)); }

  // The i-th operand's low bits as a type.
  std::string operand(std::size_t i, const std::string& type) {
    const std::string &low = words_[2 * i], &high = words_[2 * i + 1];
    if (type == "u32") return low;
    if (type == "f32") return cast(type, low);
    if (type == "bool") return op("OpINotEqual", Width::kBool, op("OpBitwiseAnd", Width::kU32, low, u32(1)), u32(0));
    if (bitsOf(type) == 64) return cast(type, make(fmt::format("OpCompositeConstruct %v2 {} {}", low, high)));
    const std::string narrow = make(fmt::format("OpUConvert {} {}", random::typeName(widthOf(type)), low));
    return type == "f16" ? cast(type, narrow) : narrow;
  }

  std::string guarded(const Row& row, std::size_t i) {
    const Width w = widthOf(row.arguments[i]);
    const std::string value = operand(i, row.arguments[i]);
    if (row.guards[i] != random::Operation::kDivisor) return random::guarded(*this, value, w, row.guards[i]);
    // Any odd number, but a positive one for a signed division.
    const std::string odd = op("OpBitwiseOr", w, value, constant(w, 1));
    return row.opcode.starts_with("OpS") ? random::guarded(*this, odd, w, random::Operation::kPositive) : odd;
  }

  void row(const Row& row, std::uint32_t word, std::uint32_t number) {
    if (row.opcode.starts_with("OpAtomic")) return atomic(row, number);
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < row.arguments.size(); ++i) operands.push_back(guarded(row, i));
    const std::string value = result(row, operands);
    if (bitsOf(row.result) == 64) {
      const std::string pair = cast("v2", value);
      put(word, make(fmt::format("OpCompositeExtract %u32 {} 0", pair)));
      return put(word + 1, make(fmt::format("OpCompositeExtract %u32 {} 1", pair)));
    }
    if (row.result == "bool") return put(word, op("OpSelect", Width::kU32, value, u32(1), u32(0)));
    if (row.result == "u32") return put(word, value);
    if (row.result == "f32") return put(word, cast("u32", value));
    put(word, make(fmt::format("OpUConvert %u32 {}", row.result == "f16" ? cast("u16", value) : value)));
  }

  std::string result(const Row& row, const std::vector<std::string>& operands) {
    if (const std::size_t space = row.opcode.find(' '); space != std::string::npos && !row.opcode.starts_with("glsl ")) {
      std::string list;
      for (const std::string& o : operands) list += fmt::format(" {}", o);
      return make(fmt::format("{} %{} {} {}{}", row.opcode.substr(0, space), row.result, u32(3), row.opcode.substr(space + 1), list));
    }
    const std::string value = applied(row.opcode, fmt::format("%{}", row.result), operands);
    if (row.result[0] == 'f' && !row.opcode.starts_with("glsl ")) decorations_ += fmt::format("OpDecorate {} NoContraction\n", value);
    return value;
  }

  void atomic(const Row& row, std::uint32_t number) {
    const std::string cell = op("OpIAdd", Width::kU32, op("OpBitwiseAnd", Width::kU32, words_[0], u32(kCells - 1)), u32(number * kCells));
    const std::string there = make(fmt::format("OpAccessChain %p_{} %cells {} {}", row.result, u32(0), cell));
    const bool unary = row.opcode == "OpAtomicIIncrement" || row.opcode == "OpAtomicIDecrement";
    make(fmt::format("{} %{} {} {} {}{}", row.opcode, row.result, there, u32(1), u32(0),
                     unary ? std::string() : fmt::format(" {}", operand(1, row.result))));
  }

  std::string header() const {
    std::string out;
    for (const std::string& c : capabilitiesOf(family_)) out += fmt::format("OpCapability {}\n", c);
    out +=
        "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %main \"main\" %operands %result %cells %global_id\nOpExecutionMode %main LocalSize 64 1 1\n"
        "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
        "OpDecorate %global_id BuiltIn GlobalInvocationId\n";
    const char* names[] = {"operands", "result", "cells"};
    for (std::uint32_t i = 0; i < 3; ++i)
      out += fmt::format("OpDecorate %{} DescriptorSet 0\nOpDecorate %{} Binding {}\n", names[i], names[i], i);
    const std::string cell = types_.contains("u64") ? "u64" : "u32";  // of atomics
    if (cell == "u64") out += "OpDecorate %longs ArrayStride 8\nOpDecorate %block64 Block\nOpMemberDecorate %block64 0 Offset 0\n";
    out += decorations_ +
           "%void = OpTypeVoid\n%main_type = OpTypeFunction %void\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%i32 = OpTypeInt 32 1\n"
           "%v2 = OpTypeVector %u32 2\n%v3 = OpTypeVector %u32 3\n%pair = OpTypeStruct %u32 %u32\n";
    for (const std::string& t : types_) {
      if (t[0] == 'u' && t != "u32") out += fmt::format("%{0} = OpTypeInt {1} 0\n%i{1} = OpTypeInt {1} 1\n", t, bitsOf(t));
      if (t[0] == 'f') out += fmt::format("%{} = OpTypeFloat {}\n", t, bitsOf(t));
    }
    out +=
        "%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n%p_block = OpTypePointer StorageBuffer %block\n"
        "%p_u32 = OpTypePointer StorageBuffer %u32\n%operands = OpVariable %p_block StorageBuffer\n"
        "%result = OpVariable %p_block StorageBuffer\n%p_in_v3 = OpTypePointer Input %v3\n%global_id = OpVariable %p_in_v3 Input\n";
    if (cell == "u32") return out + "%cells = OpVariable %p_block StorageBuffer\n";
    return out +
           "%longs = OpTypeRuntimeArray %u64\n%block64 = OpTypeStruct %longs\n%p_block64 = OpTypePointer StorageBuffer %block64\n"
           "%p_u64 = OpTypePointer StorageBuffer %u64\n%cells = OpVariable %p_block64 StorageBuffer\n";
  }

  const Family& family_;
  std::set<std::string> types_;
  std::string n_, base_, words_[8], decorations_;
};

Resource resource(const char* name, std::vector<std::byte> bytes, bool output) {
  BufferData data;
  data.bytes = std::move(bytes);
  return {name, std::move(data), false, output};
}

}  // namespace

std::uint32_t words(const Family& family) {
  std::uint32_t sum = 0;
  for (const Row& row : family.rows) sum += wordsOf(row);
  return sum;
}

std::vector<std::string> capabilitiesOf(const Family& family) {
  std::vector<std::string> out{"Shader"};
  const std::set<std::string> types = typesOf(family);
  for (const char* pair : {"u8 Int8", "u16 Int16", "u64 Int64", "f16 Float16", "f64 Float64"}) {
    const std::string text = pair, type = text.substr(0, text.find(' '));
    if (types.contains(type)) out.push_back(text.substr(text.find(' ') + 1));
  }
  if (family.name.starts_with("subgroup")) out.insert(out.end(), {"GroupNonUniform", "GroupNonUniformArithmetic"});
  if (family.name == "atomic u64") out.emplace_back("Int64Atomics");
  return out;
}

Job jobOf(const Family& family, const std::vector<Operands>& operands, std::string* problem) {
  ShaderModule module{"operations " + family.name, {}};
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_1_SPIRV_1_4);
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* message) {
    *problem += fmt::format("line {}: {}\n", at.line + 1, message);
  });
  const std::string text = Module(family).text();
  if (!tools.Assemble(text, &module.words) || !tools.Validate(module.words)) {
    *problem += text;
    return {};
  }
  std::vector<std::byte> bytes(operands.size() * sizeof(Operands));
  std::memcpy(bytes.data(), operands.data(), bytes.size());
  const std::size_t results = std::max<std::size_t>(words(family), 1) * operands.size() * 4;
  const std::size_t cells = family.name.starts_with("atomic") ? family.rows.size() * kCells * 8 : 16;
  Job job;
  job.resources = {resource("operands", std::move(bytes), false), resource("result", std::vector<std::byte>(results), true),
                   resource("cells", std::vector<std::byte>(cells, std::byte{0x5a}), true)};
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(std::move(module));
  d.groups = {static_cast<std::uint32_t>(operands.size() / 64), 1, 1};
  d.bindings = {{0, 0, 0, "operands"}, {0, 1, 0, "result"}, {0, 2, 0, "cells"}};
  job.dispatches = {std::move(d)};
  return job;
}

}  // namespace lanewise::operations
