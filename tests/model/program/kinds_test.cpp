// What an instruction says besides its slots is of the kind that its operation has, in every text program and in both flavours; and the
// programs have every kind.
#include <set>

#include "model/program/decode.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

template <class T>
const std::size_t kindOf = InstrKind(T{}).index();

std::size_t expectedOf(const InstrInfo& info) {
  switch (info.op) {
    case control::kJump:
      return kindOf<kind::Jump>;
    case control::kBranchUniform:
    case control::kBranchVarying:
      return kindOf<kind::Branch>;
    case control::kSwitchUniform:
    case control::kSwitchVarying:
      return kindOf<kind::Switch>;
    case control::kReturn:
      return kindOf<kind::Return>;
    case ir::kControlBarrier:
      return kindOf<kind::Barrier>;
    case ir::kLoad:
    case ir::kStore:
      return kindOf<kind::Memory>;
    case ir::kAtomic:
      return kindOf<kind::Atomic>;
    case ir::kArrayLength:
      return kindOf<kind::ArrayLength>;
    case ir::kLocalLoad:
    case ir::kLocalStore:
    case ir::kLocalFill:
      return kindOf<kind::LaneMemory>;
    case ir::kImageRead:
    case ir::kImageReadAdd:
    case ir::kImageWrite:
    case ir::kImageSample:
    case ir::kImageAtomic:
    case ir::kImageQuery:
      return kindOf<kind::Image>;
    case ir::kSubgroup:
      return info.type == Scalar::kNone ? kindOf<kind::Ballot> : kindOf<kind::Subgroup>;
    case ir::kPrint:
      return kindOf<kind::Print>;
    case ir::kCheckIndex:
      return kindOf<kind::CheckIndex>;
    case ir::kCheckOperands:
      return kindOf<kind::CheckOperands>;
    default:
      return kindOf<std::monostate>;
  }
}

TEST(Kinds, EveryInstructionHasThatOfItsOperation) {
  std::set<std::size_t> seen;
  for (const std::string& file : programFiles()) {
    const auto module = programModule(file);
    ASSERT_TRUE(module) << module.error().text();
    for (const ir::Flavour flavour : {ir::Flavour::kQuick, ir::Flavour::kFaithful}) {
      ProgramOptions options;
      options.flavour = flavour;
      options.checkIndices = true;
      const auto program = decode(**module, options);
      if (!program) continue;  // one that is expected to be refused
      const Program& p = **program;
      for (std::uint32_t pc = 0; pc < p.code.size(); ++pc) {
        ASSERT_EQ(p.code[pc].what.index(), expectedOf(p.info[pc])) << file << ": " << p.opOf(pc) << ' ' << p.lineOf(pc);
        seen.insert(p.code[pc].what.index());
      }
    }
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<InstrKind>);
}

}  // namespace
}  // namespace lanewise::text
