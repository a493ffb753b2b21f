#include "model/compiled/object.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lanewise::compiled {
namespace {

// What the compiler may call by itself.
constexpr std::pair<std::string_view, void* (*)(void*, const void*, std::size_t)> kCopies[] = {{"memcpy", &std::memcpy},
                                                                                               {"memmove", &std::memmove}};
constexpr std::size_t kStub = 16;  // bytes of a jump to any address

Error damaged(const char* what) {
  return {Outcome::kInternal, std::string("compiled code cannot be loaded: ") + what, "", ""};
}

class Loader {
 public:
  explicit Loader(std::span<const std::byte> file) : file_(file) {}

  // The bytes that it needs; nothing where the file is damaged.
  std::optional<std::size_t> measure() {
    const auto header = read<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_machine != EM_X86_64 || header->e_type != ET_REL)
      return {};
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shnum > 1000) return {};
    std::size_t size = 0;
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
      const auto section = read<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return {};
      sections_.push_back(*section);
      at_.push_back(0);
      if ((section->sh_flags & SHF_ALLOC) == 0) continue;
      const std::size_t alignment = section->sh_addralign == 0 ? 1 : section->sh_addralign;
      if (alignment > 4096 || (alignment & (alignment - 1)) != 0 || section->sh_size > kMost) return {};
      if (section->sh_type != SHT_NOBITS && !has(section->sh_offset, section->sh_size)) return {};
      size = (size + alignment - 1) & ~(alignment - 1);
      at_.back() = size;
      size += section->sh_size;
      if (size > kMost) return {};
    }
    stubs_ = (size + kStub - 1) & ~(kStub - 1);
    return stubs_ + std::size(kCopies) * kStub;
  }

  bool place(std::byte* memory) {
    for (std::size_t i = 0; i < sections_.size(); ++i)
      if ((sections_[i].sh_flags & SHF_ALLOC) != 0 && sections_[i].sh_type != SHT_NOBITS)
        std::memcpy(memory + at_[i], file_.data() + sections_[i].sh_offset, sections_[i].sh_size);
    for (std::size_t i = 0; i < std::size(kCopies); ++i) {  // mov rax, address; jmp rax
      std::byte* stub = memory + stubs_ + i * kStub;
      const auto address = reinterpret_cast<std::uint64_t>(kCopies[i].second);
      std::memcpy(stub, "\x48\xb8", 2);
      std::memcpy(stub + 2, &address, 8);
      std::memcpy(stub + 10, "\xff\xe0", 2);
    }
    for (const Elf64_Shdr& s : sections_)
      if (s.sh_type == SHT_RELA && !relocate(memory, s)) return false;
    return true;
  }

  std::optional<std::size_t> find(std::string_view name) const {
    for (const Elf64_Shdr& s : sections_)
      if (s.sh_type == SHT_SYMTAB)
        for (std::size_t i = 0; i < s.sh_size / sizeof(Elf64_Sym); ++i)
          if (const auto symbol = read<Elf64_Sym>(s.sh_offset + i * sizeof(Elf64_Sym)); symbol && nameOf(s, *symbol) == name)
            return placeOf(s, *symbol);
    return {};
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 28;

  bool has(std::uint64_t offset, std::uint64_t size) const { return offset <= file_.size() && size <= file_.size() - offset; }
  template <class T>
  std::optional<T> read(std::uint64_t offset) const {
    if (!has(offset, sizeof(T))) return {};
    T out;
    std::memcpy(&out, file_.data() + offset, sizeof(T));
    return out;
  }

  std::string_view nameOf(const Elf64_Shdr& table, const Elf64_Sym& symbol) const {
    if (table.sh_link >= sections_.size()) return {};
    const Elf64_Shdr& names = sections_[table.sh_link];
    if (!has(names.sh_offset, names.sh_size) || symbol.st_name >= names.sh_size) return {};
    const char* text = reinterpret_cast<const char*>(file_.data() + names.sh_offset + symbol.st_name);
    return {text, strnlen(text, names.sh_size - symbol.st_name)};
  }

  std::optional<std::size_t> placeOf(const Elf64_Shdr& table, const Elf64_Sym& symbol) const {
    if (symbol.st_shndx == SHN_UNDEF) {
      for (std::size_t i = 0; i < std::size(kCopies); ++i)
        if (nameOf(table, symbol) == kCopies[i].first) return stubs_ + i * kStub;
      return {};
    }
    if (symbol.st_shndx >= sections_.size() || symbol.st_value > sections_[symbol.st_shndx].sh_size) return {};
    return at_[symbol.st_shndx] + symbol.st_value;
  }

  bool relocate(std::byte* memory, const Elf64_Shdr& s) const {
    if (s.sh_info >= sections_.size() || s.sh_link >= sections_.size()) return false;
    if ((sections_[s.sh_info].sh_flags & SHF_ALLOC) == 0) return true;
    for (std::size_t i = 0; i < s.sh_size / sizeof(Elf64_Rela); ++i) {
      const auto rela = read<Elf64_Rela>(s.sh_offset + i * sizeof(Elf64_Rela));
      if (!rela) return false;
      const auto symbol = read<Elf64_Sym>(sections_[s.sh_link].sh_offset + ELF64_R_SYM(rela->r_info) * sizeof(Elf64_Sym));
      const auto target = symbol ? placeOf(sections_[s.sh_link], *symbol) : std::nullopt;
      const std::uint32_t type = ELF64_R_TYPE(rela->r_info);
      const std::size_t bytes = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
      if (!target || rela->r_offset + bytes > sections_[s.sh_info].sh_size) return false;
      const std::size_t at = at_[s.sh_info] + rela->r_offset;
      const auto address = static_cast<std::int64_t>(*target) + rela->r_addend;
      std::int64_t value = address - static_cast<std::int64_t>(at);
      if (type == R_X86_64_64)
        value = address + reinterpret_cast<std::int64_t>(memory);
      else if (type != R_X86_64_PC32 && type != R_X86_64_PLT32 && type != R_X86_64_PC64)
        return false;
      std::memcpy(memory + at, &value, bytes);
    }
    return true;
  }

  std::span<const std::byte> file_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<std::size_t> at_;  // by section
  std::size_t stubs_ = 0;
};

}  // namespace

Expected<Code> Code::load(std::span<const std::byte> file, const char* function) {
  Loader loader(file);
  const auto size = loader.measure();
  if (!size) return damaged("no object file");
  Code code;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  code.size_ = (*size + page - 1) / page * page;
  void* memory = mmap(nullptr, code.size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return damaged("no memory");
  code.memory_ = static_cast<std::byte*>(memory);
  const auto at = loader.find(function);
  if (!loader.place(code.memory_) || !at) return damaged("an unknown relocation or symbol");
  if (mprotect(memory, code.size_, PROT_READ | PROT_EXEC) != 0) return damaged("memory may not be executed here");
  code.function_ = code.memory_ + *at;
  return code;
}

Code::Code(Code&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), size_(other.size_), function_(std::exchange(other.function_, nullptr)) {}
Code& Code::operator=(Code&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(size_, other.size_);
  std::swap(function_, other.function_);
  return *this;
}
Code::~Code() {
  if (memory_) munmap(memory_, size_);
}

}  // namespace lanewise::compiled
