#include "tools/report/escape.h"

#include "model/base/visible.h"

namespace lanewise {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

}  // namespace lanewise
