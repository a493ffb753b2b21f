// Pages for man(1): of a command what its --help says.
#include <fmt/format.h>

#include <algorithm>

#include "tools/cli/manual.h"

namespace lanewise {
namespace {

// A text in which nothing is a request or an escape. A line that ends in the text ends in the page.
std::string roff(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    begins = c == '\n';
    if (c == '\n') {
      out += "\n.br\n";
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      out += c;
    }
  }
  return out;
}

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string firstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string manItem(const ManualOption& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.value.empty() && option.names.front().starts_with("-")) names += " \\fI" + roff(option.value) + "\\fR";
  return fmt::format(".TP\n{}\n{}\n", names, roff(option.says));
}

}  // namespace

std::string manPage(const ManualCommand& command, const std::string& version) {
  std::string title = dashed(command.name);
  std::string upper = title;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  std::string page = fmt::format(".TH {} 1 \"\" \"lanewise {}\" \"User Commands\"\n", roff(upper), version);
  page += fmt::format(".SH NAME\n{} \\- {}\n", roff(title), roff(firstLine(command.says)));
  page += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR{}\n", roff(command.name), roff(command.usage));
  page += fmt::format(".SH DESCRIPTION\n{}\n", roff(command.says));
  if (!command.positionals.empty()) {
    page += ".SH ARGUMENTS\n";
    for (const ManualOption& one : command.positionals) page += manItem(one);
  }
  if (!command.options.empty()) {
    page += ".SH OPTIONS\n";
    for (const ManualOption& one : command.options) page += manItem(one);
  }
  if (!command.commands.empty()) {
    page += ".SH COMMANDS\n";
    for (const ManualCommand& one : command.commands)
      page += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(dashed(one.name)), roff(one.says));
  }
  if (command.name != "lanewise") page += ".SH SEE ALSO\n\\fBlanewise\\fR(1), which also has the exit codes\n";
  return page;
}

}  // namespace lanewise
