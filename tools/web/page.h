// The files of the page, in the program: tools/web/page.
#pragma once

#include <span>
#include <string_view>

namespace lanewise::web {

struct PageFile {
  std::string_view name;  // empty: the page itself
  const char* type;
  std::string_view text;
};
std::span<const PageFile> pageFiles();

}  // namespace lanewise::web
