#include "model/base/program_folder.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <span>

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
  const auto last =
      std::find_if(std::begin(folders) + 1, std::end(folders), [&](const char* at) { return fs::is_directory(from / at, failed); });
  return (from / (last == std::end(folders) ? folders[0] : *last) / name).lexically_normal();
}

// The build id among the notes at `notes`.
std::string buildIdIn(const char* notes, std::size_t size) {
  const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
  ElfW(Nhdr) note;
  while (size >= sizeof note) {
    std::memcpy(&note, notes, sizeof note);
    const std::size_t name = padded(note.n_namesz), text = padded(note.n_descsz);
    if (size - sizeof note < name || size - sizeof note - name < text) break;
    const char* const at = notes + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && std::string_view(at, note.n_namesz) == std::string_view("GNU", sizeof "GNU"))
      return std::string(at + name, note.n_descsz);
    notes += sizeof note + name + text;
    size -= sizeof note + name + text;
  }
  return {};
}

// Called for each program and library: the one that holds this code answers.
int answerBuildId(dl_phdr_info* info, std::size_t, void* answer) {
  const std::span<const ElfW(Phdr)> all(info->dlpi_phdr, info->dlpi_phnum);
  const auto here = reinterpret_cast<std::uintptr_t>(&answerBuildId);
  const auto holds = [&](const ElfW(Phdr) & p) { return p.p_type == PT_LOAD && here - info->dlpi_addr - p.p_vaddr < p.p_memsz; };
  if (std::none_of(all.begin(), all.end(), holds)) return 0;
  auto& id = *static_cast<std::string*>(answer);
  for (const ElfW(Phdr) & p : all)
    if (p.p_type == PT_NOTE && id.empty()) id = buildIdIn(reinterpret_cast<const char*>(info->dlpi_addr + p.p_vaddr), p.p_memsz);
  return 1;
}

}  // namespace

std::string ownBuildId() {
  std::string id;
  ::dl_iterate_phdr(&answerBuildId, &id);
  return id;
}

std::filesystem::path ownPart(std::string_view name) {
  return firstThatHas(kParts, name);
}

std::filesystem::path ownData(std::string_view name) {
  return firstThatHas(kData, name);
}

}  // namespace lanewise
