// `lanewise debug --web` for tests: the program in a process of its own, and a client of HTTP that sends whatever it is told.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lanewise {

using Json = nlohmann::json;

class Site {
 public:
  // With the words behind `lanewise debug --web`.
  explicit Site(std::vector<std::string> words) {
    ::signal(SIGPIPE, SIG_IGN);
    int up[2];
    if (::pipe2(up, O_CLOEXEC) != 0) return;
    words.insert(words.begin(), {LANEWISE_PROGRAM, "debug", "--web"});
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(up[1], STDOUT_FILENO);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      ::execv(LANEWISE_PROGRAM, arguments.data());
      ::_exit(127);
    }
    ::close(up[1]);
    from_ = up[0];
    std::string said;
    char c = 0;
    while (!said.ends_with("\n") && ::read(from_, &c, 1) == 1) said += c;
    const std::size_t begin = said.find("http://127.0.0.1:");
    if (begin == std::string::npos) return;
    address = said.substr(begin, said.size() - begin - 1);
    const std::size_t colon = address.find(':', 7), slash = address.find('/', colon);
    port = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)));
    host = address.substr(7, slash - 7);
    path = address.substr(slash);
  }
  ~Site() {
    end(SIGKILL);
    ::close(from_);
  }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // Its exit code; -1: it did not end by itself.
  int end(int signal) {
    if (process_ <= 0) return -1;
    if (signal != 0) ::kill(process_, signal);
    int status = 0;
    ::waitpid(std::exchange(process_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  bool isRunning() const { return process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) == 0; }

  // What comes back for these bytes, until the other side ends or nothing more comes.
  std::string exchange(const std::string& bytes, int milliseconds = 10'000) const {
    const int s = connect();
    if (s < 0) return "";
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::send(s, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n <= 0) break;
      at += static_cast<std::size_t>(n);
    }
    std::string out;
    char buffer[65536];
    for (pollfd ready{s, POLLIN, 0}; ::poll(&ready, 1, milliseconds) > 0;) {
      const ssize_t n = ::read(s, buffer, sizeof buffer);
      if (n <= 0) break;
      out.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(s);
    return out;
  }
  int connect() const {
    const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return s;
    ::close(s);
    return -1;
  }

  struct Answer {
    int status = 0;
    std::string head, body;
    Json json() const { return Json::parse(body, nullptr, false); }
  };
  Answer request(const std::string& method, const std::string& target, const std::string& body = "", const std::string& fields = "",
                 const std::string& hostField = "") const {
    std::string bytes =
        method + " " + target + " HTTP/1.1\r\nHost: " + (hostField.empty() ? host : hostField) + "\r\nConnection: close\r\n" + fields;
    if (method == "POST") bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    const std::string all = exchange(bytes + "\r\n" + body);
    const std::size_t end = all.find("\r\n\r\n");
    if (!all.starts_with("HTTP/1.1 ") || end == std::string::npos) return {};
    return {std::stoi(all.substr(9)), all.substr(0, end), all.substr(end + 4)};
  }
  Answer ask(const std::string& what, const Json& arguments = Json::object()) const {
    return request("POST", path + "ask/" + what, arguments.dump(), kJson);
  }
  static constexpr const char* kJson = "Content-Type: application/json\r\n";

  std::string address, host, path;  // "http://127.0.0.1:8080/TOKEN/", "127.0.0.1:8080", "/TOKEN/"
  std::uint16_t port = 0;

 private:
  pid_t process_ = 0;
  int from_ = -1;
};

}  // namespace lanewise
