// `lanewise debug --web`: a session in a browser of this host.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/debug/opened.h"

namespace lanewise::web {

// Listens on 127.0.0.1 alone; `port` 0: any that is free. Calls `listening` with the page's address, and returns when `isOver` is true or
// somebody quits. Errors: kIoError.
Status serve(std::uint16_t port, std::unique_ptr<OpenedSession> opened, const std::vector<std::string>& commands,
             const std::function<void(const std::string& address)>& listening, const std::function<bool()>& isOver);

}  // namespace lanewise::web
