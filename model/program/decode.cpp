// The passes from words to a program, in their order. See decode.h.
#include "model/program/decode.h"
#include "model/ir/laid.h"
#include "model/ir/nans.h"
#include "model/ir/together.h"
#include "model/operations/profile_rows.h"
#include "model/program/lay_out.h"
#include "model/program/lower.h"
#include "model/program/passes.h"
#include "model/spirv/parse.h"
#include "model/spirv/validate.h"

namespace lanewise {
namespace {

LowerOptions lowerOptionsOf(const ProgramOptions& options, const OpRows& rows) {
  LowerOptions lowering;
  lowering.rows = &rows;
  lowering.checkIndices = options.checkIndices;
  lowering.everyIndex = options.checkIndices && options.everyIndex;
  lowering.entryPoint = options.entryPoint;
  lowering.spec = options.spec;
  lowering.profile = options.profile;
  lowering.subgroupSize = options.subgroupSize;
  lowering.record = options.flavour == ir::Flavour::kFaithful;
  return lowering;
}

// A clock counts the steps of its own lane, which a selection does not.
bool readsClock(const ir::Function& f) {
  return std::ranges::any_of(f.nodes, [](const ir::Node& n) { return n.op == ir::kReadClock; });
}

// After simplify().
void shareValues(ir::Function& f, const OpRows& rows, bool watched) {
  if (ir::promoteLocals(f)) ir::simplify(f, rows, watched);
  if (ir::shareCommon(f)) ir::simplify(f, rows, watched);
}

// The passes from the lowered form to what is laid out, but for those that ask what varies. `isShared`: shareValues() has seen it, watched.
void optimise(ir::Function& f, const OpRows& rows, const ProgramOptions& options, const Program& program, bool isInterpreted,
              bool isShared) {
  const bool meetings = options.separateLanes || options.separateSubgroups;
  if (options.flavour == ir::Flavour::kFaithful) {
    ir::placeLocals(f);
    if (options.checkIndices) ir::checkOperands(f, program.module, program.nanWidths);
    return ir::splitEdges(f, meetings);
  }
  // What runs lane by lane meets at the same places whether somebody watches or not.
  const bool quick = meetings || options.flavour != ir::Flavour::kUnwatched, watched = quick || options.checkIndices;
  // Branches on specialization constants: the fewer blocks, the faster the promotion.
  if ((!isShared || !watched) && (ir::simplify(f, rows, watched) || !isShared)) shareValues(f, rows, watched);
  if (!watched && isInterpreted) ir::removeFirstFills(f);  // while what is filled again is in a loop
  const bool selects = !quick && !readsClock(f);
  if (selects && ir::unrollLoops(f, rows, watched)) shareValues(f, rows, watched);  // more indices are constant
  if (selects && watched) ir::removeDead(f, meetings);                              // what is selected is used
  while (selects && ir::flattenBranches(f, watched)) ir::simplify(f, rows, watched);
  if (!quick && ir::forwardLocals(f)) {
    ir::simplify(f, rows, watched);
    ir::shareCommon(f);
  }
  ir::removeDead(f, meetings);  // what is left is used: an operation without a user has no register
  ir::fuseReads(f);
  if (options.checkIndices) ir::checkOperands(f, program.module, program.nanWidths);
  ir::splitEdges(f, meetings);
}

ir::LaneShape laneShapeOf(const Program& program, std::uint32_t width) {
  ir::LaneShape shape;
  shape.linear = program.laneOrder.empty();
  std::copy(program.localSize, program.localSize + 3, shape.localSize);
  shape.width = width;
  shape.subgroupSize = program.subgroupSize;
  shape.separateLanes = program.separateLanes;
  shape.workgroups = workgroupsTogether(program);
  return shape;
}

// Whether a subgroup may wait for another of its workgroup: the same in every flavour, because it goes by one form of the module. That is
// made of what is lowered, where it can be: `isShared`.
bool mayWait(Lowered& lowered, const spirv::Module& module, const ProgramOptions& options, const OpRows& rows, bool& isShared) {
  const std::uint32_t(&size)[3] = lowered.localSize;
  if (options.separateLanes || std::uint64_t{size[0]} * size[1] * size[2] <= options.subgroupSize) return false;
  const ir::LaneShape shape{.localSize = {size[0], size[1], size[2]}, .subgroupSize = options.subgroupSize};
  if (!ir::readsInLoop(lowered.function, shape)) return false;
  const auto waits = [&](ir::Function& f) {
    ir::simplify(f, rows, true);
    shareValues(f, rows, true);
    return ir::waitsInLoop(f, shape);
  };
  LowerOptions plain = lowerOptionsOf(options, rows);
  isShared = !plain.record && !plain.checkIndices;
  if (isShared) return waits(lowered.function);
  plain.record = plain.checkIndices = false;
  Expected<Lowered> again = lower(module, plain);
  return again.ok() && waits(again->function);
}

// `laid`: the program itself, where it is one to compile.
Status decodeInto(Program* program, LaidProgram* laid, const ShaderModule& module, ProgramOptions options, bool together) {
  Expected<spirv::Module> parsed = spirv::parse(module.name, module.words);
  if (!parsed) return parsed.error();
  program->module = std::move(*parsed);
  program->flavour = options.flavour;
  Expected<Choices> choices = choicesOf(program->module, options.entryPoint, options.profile);
  if (!choices) return choices.error();
  const OpRows rows(*choices);
  program->choices = *choices;
  Expected<Lowered> lowered = lower(program->module, lowerOptionsOf(options, rows));
  if (!lowered) return lowered.error();
  ir::Function& f = lowered->function;
  bool isShared = false;
  options.separateSubgroups = options.separateSubgroups || mayWait(*lowered, program->module, options, rows, isShared);
  if (options.checkIndices && options.flavour == ir::Flavour::kUnwatched) {
    program->flavour = ir::Flavour::kQuick;  // it may be watched, but for single instructions
    // Who watches may tell by which branches lanes came to what they do together.
    if (options.separateLanes || options.separateSubgroups || ir::hasSubgroupOperations(f)) options.flavour = ir::Flavour::kQuick;
  }
  program->nanWidths = ir::nanWidthsOf(program->module, options.entryPoint);
  optimise(f, rows, options, *program, laid == nullptr, isShared);
  std::copy(lowered->localSize, lowered->localSize + 3, program->localSize);
  placeLanes(*program, options, lowered->quads, together);
  const ir::LaneShape shape = laneShapeOf(*program, program->width);
  if (laid && program->separateLanes) laid->together = laid->width;
  if (laid && !program->separateLanes) narrow(*laid, f);
  if (shape.workgroups > 1) ir::placeWorkgroupMemory(f, shape.workgroups);
  ir::markVarying(f, shape);

  std::vector<ir::AccessPlace> ownPlaces = ir::ownPlaces(f, shape, program->ownPlaces.known);
  if (laid) laid->outsideIsWithin = options.profile.outsideBuffer == OutsideBuffer::kWithin;
  const bool joins = !laid && options.flavour == ir::Flavour::kUnwatched;  // LLVM does so by itself
  if (joins && ir::joinOperations(f)) ir::removeDead(f, options.separateLanes || options.separateSubgroups);
  program->laneWords = f.laneWords;
  program->recordWords = f.recordWords;
  program->workgroupBytes = f.workgroupBytes;
  program->countsMore = f.countsMore;
  program->workgroupZero = f.workgroupZero;
  program->prints = f.prints;
  program->pushBytes = lowered->pushBytes;
  Expected<Laid> laidOut = layOut(f, *program, rows);
  if (!laidOut) return laidOut.error();
  if (joins && !program->separateLanes) joinBranches(f, *program, rows, *laidOut);
  program->ownPlaces.all.resize(program->code.size());
  program->ownPlaces.elements.resize(program->code.size());
  for (ir::AccessPlace& own : ownPlaces) {
    // Lanes with words of their own may meet at a buffer's end.
    const bool isWord = f.nodes[own.access].op != ir::kImageRead && f.nodes[own.access].op != ir::kImageWrite;
    const std::uint32_t pc = laidOut->places[own.access];  // 0: none, or the first
    if (pc == 0 || (isWord && options.profile.outsideBuffer == OutsideBuffer::kWithin)) continue;
    program->ownPlaces.elements[pc] = own.element;
    if (!own.places[0].empty()) program->ownPlaces.all[pc] = std::move(own.places);
  }
  if (program->separateLanes) {
    program->meets = meetingPoints(*program);
    program->written = writtenRows(*program);
  }
  program->spec = options.spec;
  program->locals = std::move(f.locals);
  program->variables = std::move(f.variables);
  program->recorded = std::move(f.recorded);
  program->orders = std::move(f.orders);
  program->paths = std::move(f.paths);
  program->accesses = std::move(f.accesses);
  program->imageAccesses = std::move(f.imageAccesses);
  program->origins = std::move(f.origins);
  program->types = std::move(lowered->types);
  program->resources = std::move(f.resources);
  program->switchPoints = switchPoints(*program);
  program->uses = resourceUses(*program);
  if (laid && program->separateLanes)
    for (ir::Node& n : f.nodes) n.varying = false;  // for each lane by itself
  if (laid) laid->laid = {std::move(f), std::move(laidOut->slots), std::move(laidOut->places)};
  return {};
}

}  // namespace

Expected<std::shared_ptr<const Program>> decode(const ShaderModule& module, const ProgramOptions& options) {
  if (Status error = spirv::validate(module.name, module.words)) return *error;
  return decodeValid(module, options);
}

Expected<std::shared_ptr<const Program>> decodeValid(const ShaderModule& module, const ProgramOptions& options, bool together) {
  auto program = std::make_shared<Program>();
  if (Status error = decodeInto(program.get(), nullptr, module, options, together)) return *error;
  return std::shared_ptr<const Program>(std::move(program));
}

Expected<std::shared_ptr<const LaidProgram>> decodeToCompile(const ShaderModule& module, const ProgramOptions& options) {
  auto program = std::make_shared<LaidProgram>();
  if (Status error = decodeInto(program.get(), program.get(), module, options, false)) return *error;
  return std::shared_ptr<const LaidProgram>(std::move(program));
}

}  // namespace lanewise
