#include "model/compiled/llvm.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace lanewise::llvm {
namespace {

// Newest first of those that the tests have run with.
constexpr struct {
  const char* name;
  int version;
} kLibraries[] = {{"libLLVM.so.22.1", 22}, {"libLLVM.so.20.1", 20}, {"libLLVM.so.19.1", 19},
                  {"libLLVM-19.so.1", 19}, {"libLLVM.so.18.1", 18}, {"libLLVM-18.so.1", 18},
                  {"libLLVM-17.so.1", 17}, {"libLLVM-16.so.1", 16}, {"libLLVM-15.so.1", 15}};

// Where the system's loader looks too. Otherwise the name alone is left to it.
constexpr const char* kFolders[] = {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"};

struct File {
  std::string path;
  int version = 0;
  struct stat status {};
};

std::optional<File> findFile() {
  std::vector<std::string> folders;
  if (const char* own = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream list(own);
    for (std::string folder; std::getline(list, folder, ':');)
      if (folder.starts_with('/')) folders.push_back(folder);
  }
  folders.insert(folders.end(), std::begin(kFolders), std::end(kFolders));
  for (const auto& [name, version] : kLibraries)
    for (const std::string& folder : folders)
      if (File file{folder + "/" + name, version}; ::stat(file.path.c_str(), &file.status) == 0) return file;
  return {};
}

struct Loaded {
  Api api;
  std::string missing;  // why it cannot be used
};

bool resolve(void* library, Loaded& out) {
  const auto one = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function) return true;
    out.missing = "the LLVM library has no ";
    out.missing += name;
    return false;
  };
#define LANEWISE_LLVM(result, name, parameters) \
  if (!one(out.api.name, "LLVM" #name)) return false;
  LANEWISE_LLVM_FUNCTIONS
#undef LANEWISE_LLVM
  return true;
}

Loaded loadOne() {
  Loaded out;
  out.missing = "no LLVM library, 15 to 20 or 22, is installed (Debian: libllvm15, libllvm19)";
  std::vector<std::pair<std::string, int>> names;
  if (const auto file = findFile()) names.emplace_back(file->path, file->version);
  for (const auto& [name, version] : kLibraries) names.emplace_back(name, version);
  for (const auto& [name, version] : names) {
    // Symbols stay local: a driver in the same process may use another LLVM.
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
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

std::string identity() {
  const auto file = findFile();
  if (!file) return {};
  return fmt::format("{}, {} bytes, of {}.{}", file->path, file->status.st_size, file->status.st_mtim.tv_sec, file->status.st_mtim.tv_nsec);
}

Expected<const Api*> load() {
  static const Loaded loaded = loadOne();
  if (!loaded.missing.empty()) return lanewise::Error{Outcome::kUnsupported, loaded.missing, "", "the interpreter runs everything"};
  return &loaded.api;
}

}  // namespace lanewise::llvm
