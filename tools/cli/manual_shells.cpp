// Completion in bash, zsh and fish: commands, options, kernels by name, and else files.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "tools/cli/manual.h"

namespace lanewise {
namespace {

constexpr const char* kHead = "# Completion for lanewise, written by `lanewise manual {}`.\n";
// The kernels' names, in any of the shells.
constexpr const char* kKernels = "lanewise list 2>/dev/null | command grep -o '^[a-z0-9-]*/[^ ]*'";

void eachCommand(const ManualCommand& at, const std::function<void(const ManualCommand&)>& use) {
  use(at);
  for (const ManualCommand& one : at.commands) eachCommand(one, use);
}

std::string lastWord(const std::string& name) {
  return name.substr(name.rfind(' ') + 1);
}

// In single quotes, as both zsh and fish read them.
std::string shellQuoted(const std::string& text, const char* quote) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? quote : std::string(1, c);
  return out + "'";
}

// What a list beside the names has room for.
std::string brief(const std::string& says) {
  constexpr std::size_t kMost = 80;
  const std::string line = says.substr(0, says.find('\n'));
  if (line.size() <= kMost) return line;
  return line.substr(0, line.rfind(' ', kMost)) + " ...";
}

bool takesKernels(const ManualCommand& command) {
  return std::ranges::any_of(command.positionals, &ManualOption::takesKernels);
}

// The patterns of `case`, one for each command below the program: "lanewise golden image".
std::string commandPatterns(const ManualCommand& program) {
  std::string patterns;
  eachCommand(program, [&](const ManualCommand& c) {
    if (&c != &program) patterns += (patterns.empty() ? "\"" : " | \"") + c.name + "\"";
  });
  return patterns;
}

}  // namespace

std::string bashCompletion(const ManualCommand& program) {
  std::string cases;
  eachCommand(program, [&](const ManualCommand& c) {
    std::string words, options, values;
    for (const ManualCommand& one : c.commands) words += fmt::format("{}{}", words.empty() ? "" : " ", lastWord(one.name));
    for (const ManualOption& one : c.options)
      for (const std::string& name : one.names) {
        options += (options.empty() ? "" : " ") + name;
        if (!one.value.empty()) values += (values.empty() ? "" : " | ") + name;
      }
    cases += fmt::format("    \"{}\")\n      words=\"{}\" options=\"{}\" kernels={}\n", c.name, words, options, takesKernels(c) ? 1 : 0);
    if (!values.empty()) cases += fmt::format("      case $before in {}) return ;; esac\n", values);
    cases += "      ;;\n";
  });
  // What no word completes, bash completes as a file's name.
  return fmt::format(kHead, "bash") + fmt::format(R"(_lanewise() {{
  local now=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} at=lanewise words options kernels i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$at ${{COMP_WORDS[i]}}" in
      {}) at+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  COMPREPLY=()
  case "$at" in
{}  esac
  if [[ $now == -* ]]; then
    words=$options
  elif ((kernels)); then
    words=$({})
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$now")
}}
complete -o bashdefault -o default -F _lanewise lanewise
)",
                                                  commandPatterns(program), cases, kKernels);
}

std::string zshCompletion(const ManualCommand& program) {
  std::string cases;
  eachCommand(program, [&](const ManualCommand& c) {
    cases += fmt::format("    \"{}\")\n", c.name);
    for (const ManualCommand& one : c.commands)
      cases += fmt::format("      names+=({})\n", shellQuoted(lastWord(one.name) + ":" + brief(one.says), "'\\''"));
    for (const ManualOption& one : c.options)
      for (const std::string& name : one.names)
        cases += fmt::format("      options+=({})\n", shellQuoted(name + ":" + brief(one.says), "'\\''"));
    if (takesKernels(c)) cases += fmt::format("      kernels=(${{(f)\"$({})\"}})\n", kKernels);
    cases += "      ;;\n";
  });
  return "#compdef lanewise\n" + fmt::format(kHead, "zsh") +
         fmt::format(R"(_lanewise() {{
  local at=lanewise word
  local -a names options kernels
  for word in ${{words[2,CURRENT-1]}}; do
    case "$at $word" in
      {}) at+=" $word" ;;
    esac
  done
  case "$at" in
{}  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif (($#names)); then
    _describe command names
  else
    (($#kernels)) && compadd -- $kernels
    _files
  fi
}}
_lanewise "$@"
)",
                     commandPatterns(program), cases);
}

std::string fishCompletion(const ManualCommand& program) {
  std::string lines = fmt::format(kHead, "fish");
  const auto quoted = [](const std::string& text) { return shellQuoted(text, "\\'"); };
  eachCommand(program, [&](const ManualCommand& c) {
    std::string when = "__fish_use_subcommand";
    if (&c != &program) {
      when.clear();
      for (std::size_t begin = c.name.find(' ') + 1, end = 0; end != std::string::npos; begin = end + 1) {
        end = c.name.find(' ', begin);
        when += (when.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") + c.name.substr(begin, end - begin);
      }
    }
    for (const ManualCommand& one : c.commands)
      lines += fmt::format("complete -c lanewise -f -n '{}' -a {} -d {}\n", when, lastWord(one.name), quoted(brief(one.says)));
    for (const ManualOption& one : c.options) {
      std::string names;
      for (const std::string& name : one.names) names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      lines +=
          fmt::format("complete -c lanewise -n '{}'{}{} -d {}\n", when, names, one.value.empty() ? "" : " -r", quoted(brief(one.says)));
    }
    if (takesKernels(c)) lines += fmt::format("complete -c lanewise -n '{}' -a \"({})\"\n", when, kKernels);
  });
  return lines;
}

}  // namespace lanewise
