// The table of operations (model/ir/rows) against what runs: no operation has two rows, none that a program contains or the engine has a
// handler for is without one, and no row is without a test: a text program, or a module of tests/model/spirv/newer_modules.h, that contains
// its instruction or becomes it.
#include <gmock/gmock.h>

#include <spirv/unified1/GLSL.std.450.h>
#include <regex>
#include <set>

#include "model/exec/sharing.h"
#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/operations/operations.h"
#include "model/program/decode.h"
#include "model/spirv/literal.h"
#include "model/spirv/parse.h"
#include "tests/model/spirv/newer_modules.h"
#include "tests/text/program_modules.h"
#include "tools/coverage/coverage.h"

namespace lanewise {
namespace {

using ir::Code;
using testing::ElementsAre;
using testing::IsEmpty;

struct Programs {
  std::set<Code> contain;  // instructions of the modules that run, or shall run
  std::set<Code> become;   // and what those are decoded to, in any flavour
  std::set<std::uint32_t> capabilities;
};

void readModule(const spirv::Module& m, Programs& out) {
  std::uint32_t glsl = 0;
  for (const spirv::Instruction& inst : m.instructions) {
    out.contain.insert(ir::core(inst.op));
    if (inst.op == spv::Op::OpCapability) out.capabilities.insert(inst.operand(0));
    if (inst.op == spv::Op::OpExtInstImport && spirv::literalString(inst.operands) == "GLSL.std.450") glsl = inst.result;
    if (inst.op == spv::Op::OpExtInst && inst.operand(0) == glsl) out.contain.insert(ir::kGlsl + inst.operand(1));
  }
}

Programs readPrograms() {
  Programs out;
  for (const std::string& file : text::programFiles()) {
    const auto module = text::programModule(file);
    if (!module) {
      ADD_FAILURE() << module.error().text();
      continue;
    }
    // What shall run is needed whether it is refused or not; what ends with an error is seen where it is decoded.
    if (!text::readProgram(text::programPath(file)).errorOutcome) readModule(*spirv::parse((*module)->name, (*module)->words), out);
    for (const ir::Flavour flavour : {ir::Flavour::kQuick, ir::Flavour::kUnwatched, ir::Flavour::kFaithful}) {
      ProgramOptions options;
      options.flavour = flavour;
      options.checkIndices = true;
      const auto program = decode(**module, options);
      if (!program) continue;
      readModule((*program)->module, out);
      for (const InstrInfo& info : (*program)->info) out.become.insert(info.op);
    }
  }
  for (const Words& words : newerModules()) readModule(*spirv::parse("newer", words), out);
  readModule(*spirv::parse("aborts", abortingModule(0)), out);
  return out;
}

const Programs& programs() {
  static const Programs all = readPrograms();
  return all;
}

// What the engine has handlers for.
std::set<Code> handled() {
  std::set<Code> out;
  operations().forEach([&](const OpKey& key) { out.insert(key.op); });
  return out;
}

std::vector<std::string> faultsOf(std::span<const ir::OperationInfo> rows, const Programs& in, const std::set<Code>& handlers) {
  std::vector<std::string> faults;
  std::set<Code> known;
  for (const ir::OperationInfo& row : rows) {
    if (!known.insert(row.code).second) faults.push_back(codeName(row.code) + " has two rows");
    if (!in.contain.contains(row.code) && !in.become.contains(row.code))
      faults.push_back(codeName(row.code) + " has no test: write a program in tests/programs");
  }
  std::set<Code> needed = in.contain;
  for (std::uint32_t op = 0; op <= 0xFFFF; ++op)
    if (!spirv::newerName(static_cast<spv::Op>(op)).empty()) needed.insert(op);
  needed.insert(in.become.begin(), in.become.end());
  needed.insert(handlers.begin(), handlers.end());
  for (const Code code : needed)
    if (!known.contains(code)) faults.push_back(codeName(code) + " has no row");
  return faults;
}

TEST(OperationTable, HasNoFault) {
  EXPECT_THAT(faultsOf(ir::operationInfos(), programs(), handled()), IsEmpty());
}

// What readers ask of an instruction (inspect, the checkers, mends) stands in its row: none is forgotten, by the names of SPIR-V.
TEST(OperationTable, SaysWhatIsAtomicAndWhatGoesAcrossASubgroup) {
  for (const ir::OperationInfo& row : ir::operationInfos()) {
    if (row.code >= ir::kGlsl) continue;
    const std::string name = codeName(row.code);
    const auto contains = [&](const char* part) { return name.find(part) != std::string::npos; };
    const bool quad = contains("Quad") || contains("DPd") || contains("Fwidth") || contains("ImplicitLod") || contains("QueryLod");
    const bool group = (contains("OpGroup") || contains("OpSubgroup")) && !contains("Decorate");
    EXPECT_EQ(row.facts.across, quad ? ir::Across::kQuad : group ? ir::Across::kSubgroup : ir::Across::kNone) << name;
    EXPECT_EQ(row.facts.atomic, !contains("OpAtomic")               ? ir::AtomicUse::kNone
                                : name == "OpAtomicLoad"            ? ir::AtomicUse::kLoads
                                : name == "OpAtomicStore"           ? ir::AtomicUse::kStores
                                : name == "OpAtomicExchange"        ? ir::AtomicUse::kExchanges
                                : name == "OpAtomicCompareExchange" ? ir::AtomicUse::kCompares
                                                                    : ir::AtomicUse::kUpdates)
        << name;
  }
}

TEST(OperationTable, SaysWhatSubgroupOperationsMakeAndWhatHasAnOrder) {
  for (const ir::OperationInfo& row : ir::operationInfos()) {
    if (row.code >= ir::kGlsl) continue;
    const std::string name = codeName(row.code);
    const auto is = [&](const char* pattern) { return std::regex_match(name, std::regex(pattern)); };
    using ir::Makes;
    EXPECT_EQ(row.facts.makes, is("OpGroupNonUniform([IUS](Add|Mul|Min|Max)|Bitwise.*)")                       ? Makes::kFoldOfIntegers
                               : is("OpGroupNonUniformF(Add|Mul|Min|Max)")                                     ? Makes::kFoldOfFloats
                               : is("OpGroupNonUniformLogical.*")                                              ? Makes::kFoldOfBooleans
                               : is("OpGroupNonUniform(Broadcast|Shuffle.*|QuadBroadcast|QuadSwap|RotateKHR)") ? Makes::kOfOne
                               : is("OpGroupNonUniformBroadcastFirst")                                         ? Makes::kOfFirst
                               : is("OpGroupNonUniform(InverseBallot|BallotBitExtract|BallotBitCount|BallotFind.*)") ? Makes::kOfOwn
                               : is("OpGroupNonUniform(Elect|All|Any)")                                              ? Makes::kVote
                               : is("OpGroupNonUniformAllEqual")                                                     ? Makes::kEquality
                               : is("OpGroupNonUniformBallot")                                                       ? Makes::kBallot
                               : is("OpGroupNonUniformPartitionNV")                                                  ? Makes::kPartition
                                                                                                                     : Makes::kOther)
        << name;
    EXPECT_EQ(row.facts.source != ir::Source::kNone, row.facts.makes == Makes::kOfOne) << name;
    EXPECT_EQ(row.facts.fold != 0, is("OpGroupNonUniform([IUSF](Add|Mul|Min|Max)|(Bitwise|Logical)(And|Or|Xor))|OpAtomic([IF](Add|Sub)|I("
                                      "In|De)crement|[SUF](Min|Max)|And|Or|Xor)(EXT)?"))
        << name;
    EXPECT_EQ(row.facts.memoryOperands != 0, is("Op(Load|Store|CopyMemory)")) << name;
    EXPECT_EQ(row.facts.imageOperands != 0, is("OpImage(Sparse)?(Read|Fetch|Write)")) << name;
    EXPECT_EQ(row.facts.order.has_value(), is("OpAtomic.*|Op(Control|Memory)Barrier")) << name;
    EXPECT_EQ(row.facts.dot.has_value(), is("Op(S|U|SU)Dot(AccSat)?")) << name;
    EXPECT_EQ(row.facts.derivative.has_value(), is("Op(DPd[xy]|Fwidth)(Fine|Coarse)?")) << name;
    EXPECT_EQ(ir::endsBlock(static_cast<spv::Op>(row.code)),
              is("Op(Branch|BranchConditional|Switch|Return|ReturnValue|Unreachable|AbortKHR)"))
        << name;
    EXPECT_EQ(row.facts.section == ir::Section::kType, is("OpType.*")) << name;
    EXPECT_EQ(row.facts.section == ir::Section::kSource, is("Op(Source.*|String|Line|NoLine|ModuleProcessed)")) << name;
    EXPECT_EQ(row.facts.section == ir::Section::kConstant, is("Op(Spec)?Constant.*")) << name;
  }
}

// --- That it would be told. -------------------------------------------------------------------------------------------------------------

class PlantedFault : public testing::Test {
 protected:
  std::vector<std::string> faults() const { return faultsOf(rows_, programs_, handled()); }
  void remove(Code code) {
    std::erase_if(rows_, [code](const ir::OperationInfo& row) { return row.code == code; });
  }
  std::vector<ir::OperationInfo> rows_{ir::operationInfos().begin(), ir::operationInfos().end()};
  Programs programs_ = programs();
};

TEST_F(PlantedFault, AnInstructionOfAProgramWithoutARow) {
  remove(ir::core(spv::Op::OpTranspose));
  remove(ir::codeOf(GLSLstd450Cross));
  EXPECT_THAT(faults(), ElementsAre("OpTranspose has no row", "Cross has no row"));
}

TEST_F(PlantedFault, AHandlerWithoutARow) {
  remove(ir::kImageQuery);
  programs_.become.erase(ir::kImageQuery);
  EXPECT_THAT(faults(), ElementsAre("image query has no row"));
}

TEST_F(PlantedFault, TwoRows) {
  rows_.push_back(*ir::operationInfo(ir::core(spv::Op::OpIAdd)));
  EXPECT_THAT(faults(), ElementsAre("OpIAdd has two rows"));
}

TEST_F(PlantedFault, ARowThatNoProgramShows) {
  programs_.contain.erase(ir::core(spv::Op::OpFwidthFine));
  programs_.become.erase(ir::kIndex64);
  ir::OperationInfo refused;
  refused.code = ir::core(spv::Op::OpImageSparseSampleProjImplicitLod);
  rows_.push_back(refused);
  EXPECT_THAT(faults(), ElementsAre("OpFwidthFine has no test: write a program in tests/programs",
                                    "index has no test: write a program in tests/programs",
                                    "OpImageSparseSampleProjImplicitLod has no test: write a program in tests/programs"));
}

// One is enough: OpLoad is in every program and becomes another operation, kLoad is in no module.
TEST_F(PlantedFault, NoneWhereAProgramContainsItOrBecomesIt) {
  EXPECT_FALSE(programs_.become.contains(ir::core(spv::Op::OpLoad)));
  EXPECT_FALSE(programs_.contain.contains(ir::kLoad));
  EXPECT_THAT(faults(), IsEmpty());
}

// --- Capabilities -----------------------------------------------------------------------------------------------------------------------

// What an atomic joins sums by: of itself again, and with a sum of nothing a value stays what it is.
TEST(OperationTable, SumsOfNothingChangeNoOther) {
  std::size_t sums = 0;
  for (const ir::OperationInfo& row : ir::operationInfos()) {
    const spv::Op by = ir::sumOf(row.code);
    if (by == spv::Op::OpNop) continue;
    ++sums;
    EXPECT_EQ(ir::sumOf(ir::codeOf(by)), by) << codeName(row.code);
    for (const std::uint32_t size : {4u, 8u})
      for (const std::uint64_t bits : {0x0ull, 0x1ull, 0x7fffffffull, 0x80000000ull, 0x7fffffffffffffffull, 0x8000000000000000ull, ~0ull}) {
        const Sharing::Sum summed{by, size};
        const std::uint64_t nothing = emptySum(summed);
        std::uint64_t value = bits;
        join(summed, std::as_writable_bytes(std::span(&value, 1)).first(size), std::as_bytes(std::span(&nothing, 1)).first(size));
        EXPECT_EQ(value, bits) << codeName(row.code);
      }
  }
  EXPECT_EQ(sums, 11u);
}

// In others the order shows: of floats, of what is stored, and of operations that are no atomic.
TEST(OperationTable, WhereTheOrderShowsThereIsNoSum) {
  for (const spv::Op op : {spv::Op::OpAtomicFAddEXT, spv::Op::OpAtomicFMinEXT, spv::Op::OpAtomicExchange, spv::Op::OpAtomicCompareExchange,
                           spv::Op::OpAtomicStore, spv::Op::OpGroupNonUniformIAdd, spv::Op::OpIAdd})
    EXPECT_EQ(ir::sumOf(ir::codeOf(op)), spv::Op::OpNop) << codeName(ir::codeOf(op));
}

std::vector<std::string> capabilityFaults(const std::vector<CoverageRow>& rows, const std::set<std::uint32_t>& contained) {
  std::vector<std::string> faults;
  std::set<std::uint32_t> known;
  for (const CoverageRow& row : rows) {
    if (!known.insert(row.number).second) faults.push_back(row.name + " has two rows");
    if (contained.contains(row.number) != (row.coverage == Coverage::kTested))
      faults.push_back(row.name + " is called " + coverageName(row.coverage));
  }
  for (const std::uint32_t number : contained)
    if (!known.contains(number)) faults.push_back("capability " + std::to_string(number) + " has no row");
  return faults;
}

TEST(CapabilityTable, SaysWhatTheProgramsContain) {
  EXPECT_THAT(capabilityFaults(coverageTables().capabilities, programs().capabilities), IsEmpty());
}

TEST(CapabilityTable, AGapATwinAndAFalseWordAreTold) {
  std::vector<CoverageRow> rows = coverageTables().capabilities;
  ASSERT_EQ(rows[1].name, "Shader");
  rows.push_back(rows[1]);
  rows[2].coverage = Coverage::kRefused;
  rows.erase(rows.begin());
  EXPECT_THAT(capabilityFaults(rows, programs().capabilities),
              ElementsAre("Float16 is called refused", "Shader has two rows", "capability 0 has no row"));
}

}  // namespace
}  // namespace lanewise
