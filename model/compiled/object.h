// An object file of the compiler (ELF, x86-64) as executable memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "model/base/outcome.h"

namespace lanewise::compiled {

class Code {
 public:
  // Copies the file's sections, relocates them and makes them executable. Every offset is checked: a damaged file is an error.
  static Expected<Code> load(std::span<const std::byte> file, const char* function);

  Code(Code&& other) noexcept;
  Code& operator=(Code&& other) noexcept;
  ~Code();
  const void* function() const { return function_; }

 private:
  Code() = default;
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  const void* function_ = nullptr;
};

}  // namespace lanewise::compiled
