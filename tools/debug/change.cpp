// Commands of `lanewise debug` that change something: what would happen.
#include <fmt/format.h>

#include "tools/debug/shell.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"

namespace lanewise {

// "EXPR = VALUE": the first '=' that is no part of a comparison.
std::optional<std::pair<std::string, std::string>> assignmentOf(const std::string& text) {
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    const bool ends = at != 0 && std::string_view("=!<>").find(text[at - 1]) != std::string_view::npos;
    const bool begins = at + 1 < text.size() && text[at + 1] == '=';
    if (!ends && !begins) return std::pair(trimmed(text.substr(0, at)), trimmed(text.substr(at + 1)));
  }
  return {};
}

Status DebugShell::set(const std::string& rest) {
  const auto both = assignmentOf(rest);
  if (!both) return Error{Outcome::kBadInput, "there is no '=' in it", "set", "`set sum = 5`"};
  const Expected<debug::Expression> target = debug::parseExpression(both->first), to = debug::parseExpression(both->second);
  if (!target) return target.error();
  if (!to) return to.error();
  const bool isFirst = !s_->isChanged();
  const Expected<debug::Value> now = s_->set(*target, *to, s_->focus(), frame_);
  if (!now) return now.error();
  print_(valueText(both->first, *now));
  if (isFirst) print_("from here on this is another run; `unset` goes back to the real one");
  return {};
}

Status DebugShell::unset() {
  return moved(s_->unset());
}

}  // namespace lanewise
