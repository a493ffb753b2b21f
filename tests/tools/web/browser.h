// Debian's chromium for tests, without a screen: it is told what to do by the DevTools protocol through pipes, as JSON that ends with a 0.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "tests/scratch_folder.h"
#include "tests/tools/web/site.h"

namespace lanewise {

class Browser {
 public:
  // Empty: it is not there.
  static std::string program() {
    const std::string path = "/usr/bin/chromium";
    return std::filesystem::exists(path) ? path : "";
  }

  Browser(int width, int height) {
    int down[2], up[2];
    if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) return;
    // It reads at 3 and writes at 4; ours may be these.
    const int in = ::fcntl(down[0], F_DUPFD_CLOEXEC, 10), out = ::fcntl(up[1], F_DUPFD_CLOEXEC, 10);
    const std::string profile = "--user-data-dir=" + folder_.path().string();
    process_ = ::fork();
    if (process_ == 0) {
      ::setpgid(0, 0);
      ::dup2(in, 3);
      ::dup2(out, 4);
      const int nowhere = ::open("/dev/null", O_RDWR);
      for (int i = 0; i < 3; ++i) ::dup2(nowhere, i);
      const std::string own = program();
      ::execl(own.c_str(), own.c_str(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
              "--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe", profile.c_str(), "about:blank",
              nullptr);
      ::_exit(127);
    }
    for (const int one : {in, out, down[0], up[1]}) ::close(one);
    to_ = down[1];
    from_ = up[0];
    const Json target = tell("Target.createTarget", {{"url", "about:blank"}});
    session_ = tell("Target.attachToTarget", {{"targetId", target.value("targetId", "")}, {"flatten", true}}).value("sessionId", "");
    tell("Emulation.setDeviceMetricsOverride", {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
    tell("Runtime.enable");
    tell("Log.enable");
    tell("Page.enable");
  }
  ~Browser() {  // NOLINT(bugprone-exception-escape): then the test has failed
    session_.clear();
    tell("Browser.close", {}, 5);
    ::close(to_);
    ::close(from_);
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  bool isOpen() const { return !session_.empty(); }

  // The result of a command; null: none came in time.
  Json tell(const std::string& method, const Json& parameters = Json::object(), int seconds = 60) {
    Json message{{"id", ++sequence_}, {"method", method}, {"params", parameters.is_null() ? Json::object() : parameters}};
    if (!session_.empty()) message["sessionId"] = session_;
    const std::string text = message.dump() + '\0';
    if (::write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return {};
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (std::chrono::steady_clock::now() < until) {
      const Json answer = receive();
      if (answer.is_null()) return {};
      if (answer.value("id", 0) == sequence_) return answer.contains("result") ? answer["result"] : answer;
      note(answer);
    }
    return {};
  }
  void open(const std::string& address) { tell("Page.navigate", {{"url", address}}); }
  // The value of an expression of JavaScript.
  Json value(const std::string& expression) {
    const Json answer = tell("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
    if (answer.contains("exceptionDetails")) complaints.push_back(answer["exceptionDetails"].dump());
    return answer.contains("result") ? answer["result"].value("value", Json()) : Json();
  }
  // Waits until it is true.
  testing::AssertionResult becomes(const std::string& expression, int seconds = 30) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (std::chrono::steady_clock::now() < until) {
      if (value("!!(" + expression + ")") == true) return testing::AssertionSuccess();
      ::usleep(50'000);
    }
    return testing::AssertionFailure() << "never: " << expression << "\n" << value("document.body.innerText");
  }
  // With the mouse, in the middle of what a selector names, or at a part of it.
  void click(const std::string& selector, double across = 0.5, double down = 0.5) {
    const Json at = value(
        "(() => { const e = document.querySelector(" + Json(selector).dump() +
        "); if (!e) return null; e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + r.width * " +
        std::to_string(across) + ", r.y + r.height * " + std::to_string(down) + "]; })()");
    ASSERT_TRUE(at.is_array()) << "nothing is " << selector;
    for (const char* type : {"mouseMoved", "mousePressed", "mouseReleased"})
      tell("Input.dispatchMouseEvent", {{"type", type},
                                        {"x", at[0]},
                                        {"y", at[1]},
                                        {"button", "left"},
                                        {"buttons", std::string_view(type) == "mousePressed" ? 1 : 0},
                                        {"clickCount", 1}});
  }
  // A key: "F10", "n", "Enter"; and a text.
  void press(const std::string& key, bool shift = false) {
    Json event{{"type", "rawKeyDown"}, {"key", key}, {"modifiers", shift ? 8 : 0}};
    if (key == "Enter") event.update({{"type", "keyDown"}, {"text", "\r"}, {"windowsVirtualKeyCode", 13}});
    tell("Input.dispatchKeyEvent", event);
    event["type"] = "keyUp";
    event.erase("text");
    tell("Input.dispatchKeyEvent", event);
  }
  void type(const std::string& text) { tell("Input.insertText", {{"text", text}}); }

  std::vector<std::string> complaints;  // of the page: exceptions, and what its policy forbids

 private:
  Json receive() {
    for (;;) {
      if (const std::size_t end = waiting_.find('\0'); end != std::string::npos) {
        Json message = Json::parse(waiting_.substr(0, end), nullptr, false);
        waiting_.erase(0, end + 1);
        return message;
      }
      pollfd ready{from_, POLLIN, 0};
      if (::poll(&ready, 1, 60'000) <= 0) return {};
      char buffer[65536];
      const ssize_t n = ::read(from_, buffer, sizeof buffer);
      if (n <= 0) return {};
      waiting_.append(buffer, static_cast<std::size_t>(n));
    }
  }
  void note(const Json& event) {
    const std::string method = event.value("method", "");
    if (method == "Runtime.exceptionThrown") complaints.push_back(event["params"].dump());
    if (method == "Log.entryAdded" && event["params"]["entry"]["level"] == "error" && event["params"]["entry"]["source"] != "network")
      complaints.push_back(event["params"].dump());
  }

  pid_t process_ = 0;
  int to_ = -1, from_ = -1, sequence_ = 0;
  std::string session_, waiting_;
  const ScratchFolder folder_;
};

}  // namespace lanewise
