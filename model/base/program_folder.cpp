#include "model/base/program_folder.h"

#include <dlfcn.h>
#include <link.h>

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// From the folder of the code: bin, lib, lib/TRIPLET, or a folder of its own such as Python's.
constexpr const char* kParts[] = {".", "../lib/lanewise", "lanewise", "../lanewise"};
constexpr const char* kData[] = {"../share/lanewise", "../../share/lanewise", "share/lanewise"};

// The loader knows the name of a library. That of the program it has only as it was called.
fs::path folderOfThisCode() {
  std::error_code failed;
  Dl_info info{};
  void* map = nullptr;
  const auto here = reinterpret_cast<void*>(&folderOfThisCode);
  if (::dladdr1(here, &info, &map, RTLD_DL_LINKMAP) != 0 && map != nullptr)
    if (const char* name = static_cast<const link_map*>(map)->l_name; name != nullptr && *name != '\0')
      return fs::canonical(name, failed).parent_path();
  return fs::read_symlink("/proc/self/exe", failed).parent_path();
}

template <std::size_t N>
fs::path firstThatHas(const char* const (&folders)[N], std::string_view name) {
  const fs::path from = folderOfThisCode();
  std::error_code failed;
  for (const char* folder : folders)
    if (fs::path file = (from / folder / name).lexically_normal(); fs::exists(file, failed)) return file;
  return (from / folders[0] / name).lexically_normal();
}

}  // namespace

std::filesystem::path ownPart(std::string_view name) {
  return firstThatHas(kParts, name);
}

std::filesystem::path ownData(std::string_view name) {
  return firstThatHas(kData, name);
}

}  // namespace lanewise
