#include "tools/cli/debug_terminal.h"

#include <fmt/format.h>
#include <histedit.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "tools/cli/interrupt.h"
#include "tools/debug/shell.h"

namespace lanewise {
namespace {

// The beginning that all of them share.
std::string commonBeginning(const std::vector<std::string>& all) {
  std::string out = all[0];
  for (const std::string& one : all) out.resize(static_cast<std::size_t>(std::ranges::mismatch(out, one).in1 - out.begin()));
  return out;
}

unsigned char complete(EditLine* el, int) {
  void* shell = nullptr;
  el_get(el, EL_CLIENTDATA, &shell);
  const LineInfo* info = el_line(el);
  const std::string line(info->buffer, info->cursor);
  const std::vector<std::string> all = static_cast<DebugShell*>(shell)->completions(line);
  if (all.empty()) return CC_REFRESH_BEEP;
  std::size_t begun = all[0].size();  // how much of it has been typed
  while (begun != 0 && !line.ends_with(all[0].substr(0, begun))) --begun;
  std::string rest = commonBeginning(all).substr(std::min(begun, commonBeginning(all).size()));
  if (all.size() == 1) rest += ' ';
  if (!rest.empty()) return el_insertstr(el, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  fmt::print("\n");
  for (const std::string& one : all) fmt::print("{}  ", one);
  fmt::print("\n");
  std::fflush(stdout);
  return CC_REDISPLAY;
}

// While it lives, Ctrl-C is a key: a signal that comes just before the editor waits for one would be seen only after the next. The editor
// takes over what the terminal has when it begins a line.
class CtrlCAsAKey {
 public:
  CtrlCAsAKey() {
    if (::tcgetattr(STDIN_FILENO, &was_) != 0) return;
    termios now = was_;
    now.c_cc[VINTR] = _POSIX_VDISABLE;
    isSet_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &now) == 0;
  }
  ~CtrlCAsAKey() {
    if (isSet_) ::tcsetattr(STDIN_FILENO, TCSANOW, &was_);
  }
  CtrlCAsAKey(const CtrlCAsAKey&) = delete;
  CtrlCAsAKey& operator=(const CtrlCAsAKey&) = delete;

 private:
  termios was_{};
  bool isSet_ = false;
};

unsigned char drop(EditLine* el, int) {
  const LineInfo* info = el_line(el);
  el_cursor(el, static_cast<int>(info->lastchar - info->cursor));
  el_deletestr(el, static_cast<int>(info->lastchar - info->buffer));
  fmt::print("\n");
  std::fflush(stdout);
  return CC_REDISPLAY;
}

const char* prompt(EditLine*) {
  return kDebugPrompt;
}

}  // namespace

void runTerminal(DebugShell& shell) {
  const std::unique_ptr<EditLine, void (*)(EditLine*)> el(el_init("lanewise", stdin, stdout, stderr), el_end);
  const std::unique_ptr<History, void (*)(History*)> past(history_init(), history_end);
  if (!el || !past) return;
  HistEvent event;
  history(past.get(), &event, H_SETSIZE, 1000);
  history(past.get(), &event, H_SETUNIQUE, 1);
  el_set(el.get(), EL_PROMPT, prompt);
  el_set(el.get(), EL_EDITOR, "emacs");
  el_set(el.get(), EL_HIST, history, past.get());
  el_set(el.get(), EL_SIGNAL, 1);
  el_set(el.get(), EL_CLIENTDATA, &shell);
  // By el_set() libedit would copy both texts, and free neither.
  el_wset(el.get(), EL_ADDFN, L"complete", L"Completes a word", complete);
  el_set(el.get(), EL_BIND, "\t", "complete", nullptr);
  el_wset(el.get(), EL_ADDFN, L"drop", L"Drops the line", drop);
  el_set(el.get(), EL_BIND, "^C", "drop", nullptr);
  int count = 0;
  const SeenInterrupts always;  // between the others
  while (!shell.isOver()) {
    const char* line = nullptr;
    bool isDropped = false;
    {
      const SeenInterrupts atPrompt;
      const CtrlCAsAKey key;
      if (!atPrompt.any()) line = el_gets(el.get(), &count);
      isDropped = line == nullptr && atPrompt.any();
    }
    if (isDropped) {
      fmt::print("\n");
      el_reset(el.get());
      continue;
    }
    if (line == nullptr || count <= 0) break;
    if (line[0] != '\n') history(past.get(), &event, H_ENTER, line);
    {
      const SeenInterrupts interrupts;
      shell.session().setPulse([&](const debug::Time&) { return interrupts.any(); });
      shell.execute(line);
      shell.session().setPulse({});
    }
    std::fflush(stdout);
  }
  if (!shell.isOver()) fmt::print("\n");
}

}  // namespace lanewise
