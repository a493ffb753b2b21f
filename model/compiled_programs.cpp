#include "model/compiled_programs.h"

#include <xxhash.h>

#include <algorithm>
#include <chrono>

#include "model/compiled/identity.h"
#include "model/compiled/llvm.h"
#include "model/contract/choices.h"
#include "model/program/decode.h"

namespace lanewise {
namespace {

using compiled::StoreKey;

// Everything that decides a program's code, one after another, each with its length.
class KeyBytes {
 public:
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  StoreKey key() const {
    const XXH128_hash_t hash = XXH3_128bits(bytes_.data(), bytes_.size());
    return {hash.low64, hash.high64};
  }

 private:
  std::string bytes_;
};

void addProfile(KeyBytes& to, const Profile& p) {
  for (const Choice& choice : choices()) to.number(choice.get(p));
  for (const FloatControls& f : {p.float16, p.float32, p.float64})
    for (const bool takes : {f.signedZeroInfNanPreserve, f.denormPreserve, f.denormFlushToZero, f.roundingModeRTE, f.roundingModeRTZ})
      to.number(takes);
  for (const std::uint64_t n : {std::uint64_t{p.subTexelBits}, static_cast<std::uint64_t>(p.denormIndependence),
                                static_cast<std::uint64_t>(p.roundingIndependence), std::uint64_t{p.maxSharedMemory}})
    to.number(n);
}

}  // namespace

StoreKey storeKeyOf(std::string_view identity, const ShaderModule& module, const ProgramOptions& o) {
  KeyBytes bytes;
  bytes.text(identity);
  bytes.text({reinterpret_cast<const char*>(module.words.data()), module.words.size() * sizeof(std::uint32_t)});
  bytes.text(o.entryPoint);
  bytes.number(o.spec.size());
  for (const SpecConstant& s : o.spec) {
    bytes.number(s.id);
    bytes.number(s.value);
  }
  addProfile(bytes, o.profile);
  for (const std::uint64_t n : {std::uint64_t{o.subgroupSize}, std::uint64_t{o.checkIndices}, static_cast<std::uint64_t>(o.flavour),
                                std::uint64_t{o.separateLanes}, std::uint64_t{o.separateSubgroups}})
    bytes.number(n);
  return bytes.key();
}

CompiledPrograms::Tried& CompiledPrograms::triedOf(const Program& program) {
  const std::lock_guard lock(mutex_);
  return tried_[&program];
}

void CompiledPrograms::note(const Program& program, double spent) {
  triedOf(program).interpreted.fetch_add(spent);
}

TierReport CompiledPrograms::report() {
  const std::lock_guard lock(mutex_);
  return report_;
}

void CompiledPrograms::refuse(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(report_.refusals, why) == report_.refusals.end()) report_.refusals.push_back(why);
}

void CompiledPrograms::countDispatches(std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  report_.dispatches += count;
}

// nullptr: nothing is kept.
const compiled::Store* CompiledPrograms::store() {
  std::call_once(opened_, [this] {
    if (folder_.empty()) return;
    identity_ = compiled::identity();
    Expected<compiled::Store> store = compiled::Store::open(folder_);
    const std::lock_guard lock(mutex_);
    if (identity_.empty())
      report_.store = "this build or the LLVM library cannot be told from others";
    else if (!store)
      report_.store = store.error().text();
    else
      store_.emplace(std::move(*store));
  });
  return store_ ? &*store_ : nullptr;
}

std::shared_ptr<const compiled::Compiled> CompiledPrograms::get(const Dispatch& dispatch, const Program& program, const Options& options,
                                                                Tier tier, double spent, double left) {
  // What is spent on a program is lost, and compiling it must save more than it takes.
  constexpr double kWorth = 2;
  Tried& tried = triedOf(program);
  const bool always = tier == Tier::kCompiled;
  const double all = tried.interpreted + spent + left;
  if (!tried.done && !always && all < kWorth * compiled::kSecondsToLoad) return nullptr;
  if (!tried.done) {
    std::unique_lock lock(tried.compiling, std::defer_lock);
    if (always)
      lock.lock();
    else if (!lock.try_lock())
      return nullptr;  // the interpreter goes on meanwhile
    if (!tried.done) {
      if (!tried.key && store()) tried.key = storeKeyOf(identity_, *dispatch.module, options());
      const bool kept = tried.key && store_->has(*tried.key);
      if (!always && all < kWorth * (kept ? compiled::kSecondsToLoad : compiled::estimatedSeconds(program))) return nullptr;
      const auto begin = std::chrono::steady_clock::now();
      bool read = false;
      const Expected<std::shared_ptr<const compiled::Compiled>> code = make(dispatch, options(), tried.key, read);
      if (!code) refuse(code.error().what);
      if (code) {
        tried.code = *code;
        const std::lock_guard count(mutex_);
        ++report_.programs;
        report_.kept += read;
        report_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      }
      tried.done = true;
    }
  }
  if (!always && tried.code && tried.code->trial == compiled::Trial::kSlower) return nullptr;
  return tried.code;
}

// `read`: whether it was on disk.
Expected<std::shared_ptr<const compiled::Compiled>> CompiledPrograms::make(const Dispatch& dispatch, const ProgramOptions& options,
                                                                           const std::optional<StoreKey>& key, bool& read) {
  if (!key)
    if (const auto llvm = llvm::load(); !llvm) return llvm.error();
  const Expected<std::shared_ptr<const LaidProgram>> laid = decodeToCompile(*dispatch.module, options);
  if (!laid) return laid.error();
  if (const auto bytes = key ? store_->read(*key) : std::nullopt)
    if (const auto file = compiled::ObjectFile::of(*bytes))
      if (Expected<std::shared_ptr<const compiled::Compiled>> code = compiled::load(*laid, *file)) {
        read = true;
        return code;
      }
  const Expected<compiled::ObjectFile> file = compiled::compile(**laid);
  if (!file) return file.error();
  Expected<std::shared_ptr<const compiled::Compiled>> code = compiled::load(*laid, *file);
  if (code && key)
    if (const Status failed = store_->write(*key, file->bytes())) {
      const std::lock_guard lock(mutex_);
      report_.store = failed->text();
    }
  return code;
}

}  // namespace lanewise
