// The compiled programs of a Model: compiled where that is worth while, read from disk where another process has done so.
//
// Thread safety: everything may be called from several threads at once.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "model/compiled/compile.h"
#include "model/compiled/store.h"
#include "model/exec/compiled_run.h"

namespace lanewise {

// The name of a program's code on disk: other where its code may be. `identity`: compiled/identity.h.
compiled::StoreKey storeKeyOf(std::string_view identity, const ShaderModule& module, const ProgramOptions& options);

class CompiledPrograms {
 public:
  // `folder`: where programs are kept (compiled/store.h); empty: nowhere.
  explicit CompiledPrograms(std::filesystem::path folder) : folder_(std::move(folder)) {}

  using Options = std::function<ProgramOptions()>;
  // As CompiledSource::get. `options`: what `program` was decoded with. It must outlive this.
  std::shared_ptr<const compiled::Compiled> get(const Dispatch& dispatch, const Program& program, const Options& options, Tier tier,
                                                double spent, double left);
  void note(const Program& program, double spent);

  TierReport report();
  void refuse(const std::string& why);
  void countDispatches(std::uint64_t count);

 private:
  // What became of compiling a program.
  struct Tried {
    std::mutex compiling;
    std::atomic<bool> done = false;
    std::shared_ptr<const compiled::Compiled> code;  // once it is done
    std::atomic<double> interpreted = 0;             // seconds that the interpreter has taken for it
    std::optional<compiled::StoreKey> key;           // while compiling: once it was asked for
  };
  Tried& triedOf(const Program& program);
  const compiled::Store* store();
  Expected<std::shared_ptr<const compiled::Compiled>> make(const Dispatch& dispatch, const ProgramOptions& options,
                                                           const std::optional<compiled::StoreKey>& key, bool& kept);

  std::filesystem::path folder_;
  std::once_flag opened_;
  std::optional<compiled::Store> store_;
  std::string identity_;
  std::mutex mutex_;
  std::map<const Program*, Tried> tried_;
  TierReport report_;
};

}  // namespace lanewise
