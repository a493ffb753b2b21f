// An editor for tests: it starts the program, and speaks the Debug Adapter Protocol with it through pipes.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lanewise {

using Json = nlohmann::json;

class Client {
 public:
  // In a folder, with the words behind the program's name.
  Client(const std::string& folder, std::vector<std::string> words) {
    ::signal(SIGPIPE, SIG_IGN);
    int down[2], up[2];
    if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(down[0], STDIN_FILENO);
      ::dup2(up[1], STDOUT_FILENO);
      words.insert(words.begin(), LANEWISE_PROGRAM);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      if (::chdir(folder.c_str()) == 0) ::execv(LANEWISE_PROGRAM, arguments.data());
      ::_exit(127);
    }
    ::close(down[0]);
    ::close(up[1]);
    to_ = down[1];
    from_ = up[0];
  }
  explicit Client(int connection) : to_(connection), from_(connection) {}
  ~Client() { end(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void write(const std::string& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::write(to_, bytes.data() + at, bytes.size() - at);
      if (n <= 0) return;
      at += static_cast<std::size_t>(n);
    }
  }
  // Its number.
  int send(const std::string& command, const Json& arguments = Json::object()) {
    Json message{{"seq", ++sequence_}, {"type", "request"}, {"command", command}, {"arguments", arguments}};
    const std::string text = message.dump();
    write("Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
    return sequence_;
  }
  // The next message; null where none comes in time, or the program is over.
  Json receive(int seconds = 60) {
    for (;;) {
      const std::size_t end = waiting_.find("\r\n\r\n");
      const std::size_t colon = waiting_.find(':');
      if (end != std::string::npos && colon < end) {
        const auto length = static_cast<std::size_t>(std::stoul(waiting_.substr(colon + 1)));
        if (waiting_.size() >= end + 4 + length) {
          Json message = Json::parse(waiting_.substr(end + 4, length), nullptr, false);
          waiting_.erase(0, end + 4 + length);
          return message;
        }
      }
      pollfd ready{from_, POLLIN, 0};
      if (::poll(&ready, 1, seconds * 1000) <= 0) return {};
      char buffer[65536];
      const ssize_t n = ::read(from_, buffer, sizeof buffer);
      if (n <= 0) return {};
      waiting_.append(buffer, static_cast<std::size_t>(n));
    }
  }
  // A line of text that is no message.
  std::string line() {
    std::string out;
    for (char c = 0; ::read(from_, &c, 1) == 1 && c != '\n';) out += c;
    return out;
  }
  // Up to and with the first that is wanted; null at the end where none came. All of them are kept in `seen`.
  Json until(const std::function<bool(const Json&)>& isWanted) {
    for (;;) {
      Json message = receive();
      if (message.is_null()) return message;
      seen.push_back(message);
      if (isWanted(message)) return message;
    }
  }
  Json response(int request) {
    return until([request](const Json& m) { return m["type"] == "response" && m["request_seq"] == request; });
  }
  Json event(const std::string& name) {
    return until([&name](const Json& m) { return m["type"] == "event" && m["event"] == name; });
  }
  Json ask(const std::string& command, const Json& arguments = Json::object()) { return response(send(command, arguments)); }

  // Closes the pipes; the program's exit code, or -1 where a signal ended it.
  int end() {
    if (to_ < 0) return code_;
    ::close(to_);
    if (from_ != to_) ::close(from_);
    to_ = from_ = -1;
    int status = 0;
    if (process_ > 0 && ::waitpid(process_, &status, 0) == process_ && WIFEXITED(status)) code_ = WEXITSTATUS(status);
    return code_;
  }
  pid_t process() const { return process_; }

  std::vector<Json> seen;

 private:
  pid_t process_ = -1;
  int to_ = -1, from_ = -1, sequence_ = 0, code_ = -1;
  std::string waiting_;
};

}  // namespace lanewise
