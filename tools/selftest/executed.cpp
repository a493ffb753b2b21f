#include "tools/selftest/executed.h"

#include <algorithm>
#include <map>

#include "model/ir/program.h"
#include "model/state/observer.h"

namespace lanewise {
namespace {

class ExecutedObserver final : public Observer {
 public:
  std::uint32_t watches() const override { return watch::kBefore; }
  Answer beforeInstruction(const InstructionEvent& event) override {
    const Program& program = *event.batch.env->program;
    if (&program != last_) {
      last_ = &program;
      executed_ = &ofEach_[last_];
      executed_->resize(program.info.size());
    }
    (*executed_)[event.pc] = 1;
    return Answer::kGoOn;
  }

  bool at(const Program& program, std::uint32_t pc) const {
    const auto it = ofEach_.find(&program);
    return it != ofEach_.end() && it->second[pc] != 0;
  }

 private:
  const Program* last_ = nullptr;
  std::vector<char>* executed_ = nullptr;
  std::map<const Program*, std::vector<char>> ofEach_;  // by pc
};

}  // namespace

std::vector<std::uint32_t> blocksOf(const spirv::Module& module) {
  std::vector<std::uint32_t> blocks;
  std::uint32_t block = 0;
  for (const spirv::Instruction& in : module.instructions) blocks.push_back(in.op == spv::Op::OpLabel ? ++block : block);
  return blocks;
}

std::vector<bool> executedBlocks(Model& model, const Job& job, const std::string& module, const std::vector<std::uint32_t>& blockOf) {
  std::vector<bool> all(blockOf.empty() ? 0 : blockOf.back() + 1, true);
  Expected<Execution> run = model.start(job, ir::Flavour::kFaithful);
  if (!run) return all;
  ExecutedObserver observer;
  if (run->run(observer)) return all;
  std::vector<char> present(all.size()), executed(all.size());
  for (const Dispatch& d : job.dispatches) {
    if (d.module->name != module) continue;
    const auto program = model.program(d, job.subgroupSize != 0 ? job.subgroupSize : model.profile().subgroupSize, ir::Flavour::kFaithful);
    if (!program) return all;
    for (std::uint32_t pc = 0; pc < (*program)->info.size(); ++pc) {
      const std::uint32_t origin = (*program)->info[pc].origin;
      if (origin == 0 || (*program)->isRecord(pc)) continue;
      const std::uint32_t block = blockOf[(*program)->origins[origin].instruction];
      present[block] = 1;
      if (observer.at(**program, pc)) executed[block] = 1;
    }
  }
  for (std::size_t b = 0; b < all.size(); ++b) all[b] = present[b] == 0 || executed[b] != 0;
  return all;
}

}  // namespace lanewise
