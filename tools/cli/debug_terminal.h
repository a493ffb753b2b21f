// A terminal for `lanewise debug`: line editing, history and completion, by libedit.
#pragma once

namespace lanewise {

class DebugShell;

inline constexpr const char* kDebugPrompt = "(lanewise) ";

// Until the user quits or the input ends.
void runTerminal(DebugShell& shell);

}  // namespace lanewise
