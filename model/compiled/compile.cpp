#include "model/compiled/compile.h"

#include <xxhash.h>

#include <bit>
#include <cstring>

#include "model/compiled/emit.h"

namespace lanewise::compiled {
namespace {

constexpr const char* kFunction = "lanewise_batch";
// Wider batches than of 32 lanes take as much longer to compile; of lanes that run alone only what is left counts.
std::size_t operationsOf(const LaidProgram& p) {
  return p.separateLanes ? p.code.size() : p.laid.function.nodes.size() * std::max(p.width, 32u) / 32;
}
constexpr std::size_t kMostOperations = 8000;  // of more, compiling takes seconds

Error failed(const char* what, const char* why) {
  return {Outcome::kUnsupported, std::string("LLVM cannot ") + what + ": " + (why ? why : ""), "", "the interpreter runs it"};
}

// Owns what LLVM gives out while one program is compiled.
class Session {
 public:
  explicit Session(const llvm::Api& api)
      : api_(api), context_(api.ContextCreate()), module_(api.ModuleCreateWithNameInContext("", context_)) {}
  ~Session() {
    if (options_) api_.DisposePassBuilderOptions(options_);
    if (data_) api_.DisposeTargetData(data_);
    if (machine_) api_.DisposeTargetMachine(machine_);
    api_.DisposeModule(module_);
    api_.ContextDispose(context_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Status prepare() {
    static constexpr const char* kTriple = "x86_64-unknown-linux-gnu";
    llvm::Target target = nullptr;
    char* why = nullptr;
    if (api_.GetTargetFromTriple(kTriple, &target, &why)) return failed("find its target", why);
    char* cpu = api_.GetHostCPUName();
    char* features = api_.GetHostCPUFeatures();
    machine_ = api_.CreateTargetMachine(target, kTriple, cpu, features, kDefaultLevel, kPositionIndependent, kDefaultModel);
    api_.DisposeMessage(cpu);
    api_.DisposeMessage(features);
    if (!machine_) return failed("make code for this host", nullptr);
    data_ = api_.CreateTargetDataLayout(machine_);
    api_.SetTarget(module_, kTriple);
    api_.SetModuleDataLayout(module_, data_);
    options_ = api_.CreatePassBuilderOptions();
    return {};
  }

  llvm::Value function() {
    llvm::Type pointer = api_.PointerTypeInContext(context_, 0);
    const llvm::Type type = api_.FunctionType(api_.IntTypeInContext(context_, 32), &pointer, 1, 0);
    const llvm::Value f = api_.AddFunction(module_, kFunction, type);
    const auto text = [&](std::string_view name, std::string_view value) {
      api_.AddAttributeAtIndex(f, kOfFunction,
                               api_.CreateStringAttribute(context_, name.data(), static_cast<unsigned>(name.size()), value.data(),
                                                          static_cast<unsigned>(value.size())));
    };
    text("prefer-vector-width", "512");
    text("min-legal-vector-width", "512");
    text("no-builtins", "");
    constexpr std::string_view kNoUnwind = "nounwind", kNoAlias = "noalias";
    api_.AddAttributeAtIndex(f, kOfFunction,
                             api_.CreateEnumAttribute(context_, api_.GetEnumAttributeKindForName(kNoUnwind.data(), kNoUnwind.size()), 0));
    api_.AddAttributeAtIndex(f, 1,
                             api_.CreateEnumAttribute(context_, api_.GetEnumAttributeKindForName(kNoAlias.data(), kNoAlias.size()), 0));
    return f;
  }

  std::string text() {
    char* text = api_.PrintModuleToString(module_);
    std::string out = text;
    api_.DisposeMessage(text);
    return out;
  }

  Status verify() {
    char* why = nullptr;
    if (!api_.VerifyModule(module_, kReturnStatus, &why)) {
      api_.DisposeMessage(why);
      return {};
    }
    Error error{Outcome::kInternal, std::string("compiled code is not valid: ") + why, "", ""};
    api_.DisposeMessage(why);
    return error;
  }

  Status optimise() {
    const std::string combine = api_.version >= 18 ? "instcombine<no-verify-fixpoint>" : "instcombine";
    const std::string passes =
        "function(mem2reg," + combine + ",simplifycfg,early-cse<memssa>,loop-mssa(licm),gvn," + combine + ",simplifycfg,dce)";
    llvm::Error error = api_.RunPasses(module_, passes.c_str(), machine_, options_);
    if (!error) return {};
    char* why = api_.GetErrorMessage(error);
    Error out = failed("run its passes", why);
    api_.DisposeErrorMessage(why);
    return out;
  }

  Expected<std::string> elf() {
    llvm::Buffer buffer = nullptr;
    char* why = nullptr;
    if (api_.TargetMachineEmitToMemoryBuffer(machine_, module_, kObjectFile, &why, &buffer)) return failed("write code", why);
    std::string bytes(api_.GetBufferStart(buffer), api_.GetBufferSize(buffer));
    api_.DisposeMemoryBuffer(buffer);
    return bytes;
  }

  llvm::Context context() const { return context_; }
  llvm::Module module() const { return module_; }

 private:
  // Numbers of LLVM-C.
  static constexpr int kDefaultLevel = 2, kPositionIndependent = 2, kDefaultModel = 0, kObjectFile = 1, kReturnStatus = 2;
  static constexpr unsigned kOfFunction = 0xffffffffu;

  const llvm::Api& api_;
  llvm::Context context_;
  llvm::Module module_;
  llvm::Machine machine_ = nullptr;
  llvm::Data data_ = nullptr;
  llvm::Options options_ = nullptr;
};

}  // namespace

// As measured with the kernels of shaders/corpus: what accesses memory becomes much code, and so does what joins lanes.
double estimatedSeconds(const Program& program) {
  constexpr double kAtLeast = 0.02, kOfAny = 2e-4, kOfAccess = 5e-3, kOfEnd = 2e-3, kOfScalar = 3e-4;
  if (program.separateLanes) return kAtLeast + kOfScalar * static_cast<double>(program.code.size());
  double seconds = 0;
  for (const Instr& i : program.code) {
    seconds += kOfAny;
    if (std::holds_alternative<kind::Memory>(i.what) || std::holds_alternative<kind::Atomic>(i.what)) seconds += kOfAccess;
    if (std::holds_alternative<kind::Jump>(i.what) || std::holds_alternative<kind::Branch>(i.what) ||
        std::holds_alternative<kind::Switch>(i.what) || std::holds_alternative<kind::Barrier>(i.what))
      seconds += kOfEnd;
  }
  return kAtLeast + seconds * std::max(program.subgroupSize, 32u) / 32;
}

std::uint64_t fingerprintOf(const LaidProgram& program) {
  std::vector<std::uint32_t> all = {program.width, program.together, program.batches, program.registerBytes, program.laneWords};
  const auto add = [&](const Operand& o) { all.insert(all.end(), {o.offset, o.step}); };
  for (const Instr& i : program.code)
    all.insert(all.end(),
               {static_cast<std::uint32_t>(i.what.index()), i.dst, i.a, i.b, i.c, i.operands,
                std::uint32_t{i.stepA} | std::uint32_t{i.stepB} << 8 | std::uint32_t{i.stepC} << 16 | std::uint32_t{i.groups} << 24});
  for (const InstrInfo& i : program.info) all.insert(all.end(), {static_cast<std::uint32_t>(i.op), static_cast<std::uint32_t>(i.type)});
  for (const Operand& o : program.operands) add(o);
  for (const Operand& o : program.laid.slots) add(o);
  all.insert(all.end(), program.laid.places.begin(), program.laid.places.end());
  return XXH3_64bits(all.data(), all.size() * sizeof(std::uint32_t));
}

std::string ObjectFile::bytes() const {
  std::string out(reinterpret_cast<const char*>(&program), sizeof program);
  for (const std::uint32_t word : {savedBytes, std::uint32_t{marks}, static_cast<std::uint32_t>(stops.size())})
    out.append(reinterpret_cast<const char*>(&word), sizeof word);
  for (const StopKind stop : stops) out += static_cast<char>(stop);
  return out + elf;
}

std::optional<ObjectFile> ObjectFile::of(std::string_view bytes) {
  ObjectFile file;
  std::uint32_t words[3];
  if (bytes.size() < sizeof file.program + sizeof words) return {};
  std::memcpy(&file.program, bytes.data(), sizeof file.program);
  std::memcpy(words, bytes.data() + sizeof file.program, sizeof words);
  bytes.remove_prefix(sizeof file.program + sizeof words);
  file.savedBytes = words[0];
  file.marks = words[1] != 0;
  if (bytes.size() < words[2]) return {};
  for (std::uint32_t i = 0; i < words[2]; ++i) file.stops.push_back(static_cast<StopKind>(bytes[i]));
  file.elf = bytes.substr(words[2]);
  return file;
}

Expected<ObjectFile> compile(const LaidProgram& program, std::string* text) {
  const auto refused = [&](const std::string& what) {
    return Error{Outcome::kUnsupported, what + " is not compiled", program.module.name, "the interpreter runs it"};
  };
  if (operationsOf(program) > kMostOperations)
    return refused(program.separateLanes ? "a program of more than 8000 operations of one lane"
                                         : "a program of more than 8000 operations for 32 lanes");
  const Flow flow = flowOf(program);
  if (!flow.refusal.empty()) return refused(flow.refusal);
  const Expected<const llvm::Api*> api = llvm::load();
  if (!api) return api.error();
  Session session(**api);
  if (Status error = session.prepare()) return *error;
  const llvm::Value function = session.function();
  const Builder builder(**api, session.context(), session.module(), program.separateLanes ? 1 : program.width);
  Emitter emitter(program, flow, builder, function);
  emitter.run();
  if (text) *text = session.text();
  if (Status error = session.verify()) return *error;
  if (Status error = session.optimise()) return *error;
  if (text) *text += session.text();
  Expected<std::string> elf = session.elf();
  if (!elf) return elf.error();
  ObjectFile file{fingerprintOf(program), {}, emitter.savedBytes(), emitter.marks(), std::move(*elf), emitter.texelOperations()};
  for (const Stop& stop : flow.stops) file.stops.push_back(stop.kind);
  return file;
}

Expected<std::shared_ptr<const Compiled>> load(std::shared_ptr<const LaidProgram> program, const ObjectFile& file) {
  if (file.program != fingerprintOf(*program))
    return Error{Outcome::kInternal, "compiled code of another program", program->module.name, ""};
  Expected<Code> code = Code::load(std::as_bytes(std::span(file.elf)), kFunction);
  if (!code) return code.error();
  return std::shared_ptr<const Compiled>(new Compiled{std::move(program), std::move(*code), file.stops, file.savedBytes, file.marks});
}

}  // namespace lanewise::compiled
