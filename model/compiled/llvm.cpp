#include "model/compiled/llvm.h"

#include <dlfcn.h>

#include <string>

namespace lanewise::llvm {
namespace {

// Newest first of those that the tests have run with.
constexpr struct {
  const char* name;
  int version;
} kLibraries[] = {{"libLLVM.so.19.1", 19}, {"libLLVM-19.so.1", 19}, {"libLLVM.so.18.1", 18}, {"libLLVM-18.so.1", 18},
                  {"libLLVM-17.so.1", 17}, {"libLLVM-16.so.1", 16}, {"libLLVM-15.so.1", 15}};

struct Loaded {
  Api api;
  std::string missing;  // why it cannot be used
};

bool resolve(void* library, Loaded& out) {
  const auto one = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function) out.missing = std::string("the LLVM library has no ") + name;
    return function != nullptr;
  };
#define LANEWISE_LLVM(result, name, parameters) \
  if (!one(out.api.name, "LLVM" #name)) return false;
  LANEWISE_LLVM_FUNCTIONS
#undef LANEWISE_LLVM
  return true;
}

Loaded loadOne() {
  Loaded out;
  out.missing = "no LLVM library from 15 to 19 is installed (Debian: libllvm15, libllvm19)";
  for (const auto& [name, version] : kLibraries) {
    // Symbols stay local: a driver in the same process may use another LLVM.
    void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    if (resolve(library, out)) {
      out.missing.clear();
      out.api.library = name;
      out.api.version = version;
      out.api.InitializeX86TargetInfo();
      out.api.InitializeX86Target();
      out.api.InitializeX86TargetMC();
      out.api.InitializeX86AsmPrinter();
      return out;
    }
  }
  return out;
}

}  // namespace

Expected<const Api*> load() {
  static const Loaded loaded = loadOne();
  if (!loaded.missing.empty()) return lanewise::Error{Outcome::kUnsupported, loaded.missing, "", "the interpreter runs everything"};
  return &loaded.api;
}

}  // namespace lanewise::llvm
