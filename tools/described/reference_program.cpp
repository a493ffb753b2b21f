#include "tools/described/reference_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

extern char** environ;

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostHeader = 65536;   // bytes of the line of JSON
constexpr std::size_t kMostMessages = 2000;  // of what it wrote to its standard error

Json arrayJson(const ReferenceArray& a) {
  return {{"name", a.name}, {"dtype", a.dtype}, {"shape", a.shape}, {"bytes", a.bytes}};
}

std::string headerOf(const ReferenceQuestion& q) {
  Json json = {{"case", q.name}, {"parameters", Json::object()}, {"inputs", Json::array()}, {"outputs", Json::array()}};
  for (const auto& [name, value] : q.values) json["parameters"][name] = value;
  for (const auto& [name, choice] : q.choices) json["parameters"][name] = choice;
  for (const ReferenceArray& a : q.inputs) json["inputs"].push_back(arrayJson(a));
  for (const ReferenceArray& a : q.outputs) json["outputs"].push_back(arrayJson(a));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string commandText(const std::vector<std::string>& command) {
  return fmt::format("{}", fmt::join(command, " "));
}

}  // namespace

ReferenceProgram::~ReferenceProgram() {
  end();
}

Status ReferenceProgram::start() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{Outcome::kIoError, "no socket for the reference program", "", ""};
  socket_ = Descriptor(ends[0]);
  const Descriptor its(ends[1]);
  messages_ = Descriptor(::memfd_create("lanewise reference", MFD_CLOEXEC));
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, messages_.get(), 2);
  if (!folder_.empty()) ::posix_spawn_file_actions_addchdir_np(&actions, folder_.c_str());
  std::vector<char*> words;
  for (const std::string& word : command_) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  // In a group of its own, so that Ctrl-C is not taken for its failure.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int code = ::posix_spawnp(&pid_, words[0], &actions, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code == 0) return {};
  pid_ = -1;
  return Error{Outcome::kBadInput, fmt::format("the reference program '{}' does not start: {}", commandText(command_), std::strerror(code)),
               "", ""};
}

// It ends by itself where its input ends; a program that does not is killed.
void ReferenceProgram::end() {
  socket_ = Descriptor();
  if (pid_ > 0) {
    for (int i = 0; i < 20 && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++i) {
      if (i == 19) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        break;
      }
      ::usleep(5000);
    }
  }
  pid_ = -1;
  messages_ = Descriptor();
}

Error ReferenceProgram::failed(std::string what) {
  ++failures_;
  if (pid_ > 0) {
    int status = 0;
    // A program that has closed its output is about to end.
    for (int i = 0; i < 20 && ::waitpid(pid_, &status, WNOHANG) == 0; ++i) {
      if (i == 19) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, &status, 0);
      } else {
        ::usleep(5000);
      }
    }
    pid_ = -1;
    if (WIFEXITED(status)) what += fmt::format("; it ended with exit code {}", WEXITSTATUS(status));
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) what += fmt::format("; it was ended by signal {}", WTERMSIG(status));
  }
  std::string messages(kMostMessages, '\0');
  const off_t size = ::lseek(messages_.get(), 0, SEEK_END);
  const ssize_t read =
      ::pread(messages_.get(), messages.data(), messages.size(), std::max<off_t>(0, size - static_cast<off_t>(kMostMessages)));
  messages.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read)));
  while (!messages.empty() && messages.back() == '\n') messages.pop_back();
  end();
  last_ = what;
  wrote_ = messages.empty() ? "" : "it wrote:\n" + messages;
  return {Outcome::kBadInput, fmt::format("the reference program {}", what), commandText(command_), wrote_};
}

namespace {

// The beginning of what it answered, as it can be printed.
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 80))
    out += c >= ' ' && c <= '~' ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return out;
}

}  // namespace

// `whole`: whether the reply is complete; then an Error is what the program says itself. Else an Error says why it cannot become complete.
Expected<std::vector<std::vector<std::byte>>> ReferenceProgram::answerOf(const ReferenceQuestion& q, std::string& reply,
                                                                         bool& whole) const {
  whole = false;
  const auto bad = [](std::string what) { return Error{Outcome::kBadInput, std::move(what), "", ""}; };
  const std::size_t line = reply.find('\n');
  if (line == std::string::npos) {
    if (reply.size() > kMostHeader) return bad("answers with no line of JSON");
    return std::vector<std::vector<std::byte>>();
  }
  const Json json = Json::parse(reply.begin(), reply.begin() + static_cast<std::ptrdiff_t>(line), nullptr, false);
  if (!json.is_object())
    return bad(fmt::format("answers with what is no JSON object: '{}'", shown(std::string_view(reply).substr(0, line))));
  if (json.contains("error")) {
    whole = reply.size() == line + 1;
    return bad("says: " + (json["error"].is_string() ? json["error"].get<std::string>() : json["error"].dump()));
  }
  if (!json.contains("bytes") || !json["bytes"].is_array() || json["bytes"].size() != q.outputs.size())
    return bad(fmt::format("must answer with \"bytes\", the sizes of {} outputs: '{}'", q.outputs.size(),
                           shown(std::string_view(reply).substr(0, line))));
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < q.outputs.size(); ++i) {
    const Json& size = json["bytes"][i];
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() != q.outputs[i].bytes)
      return bad(fmt::format("gives '{}' {} bytes, and {} are meant ({} of the shape {})", q.outputs[i].name, size.dump(),
                             q.outputs[i].bytes, q.outputs[i].dtype, Json(q.outputs[i].shape).dump()));
    total += q.outputs[i].bytes;
  }
  if (reply.size() - line - 1 > total) return bad("writes more bytes than it says");
  std::vector<std::vector<std::byte>> out;
  if (reply.size() - line - 1 < total) return out;
  whole = true;
  const auto* at = reinterpret_cast<const std::byte*>(reply.data() + line + 1);
  for (const ReferenceArray& a : q.outputs) {
    out.emplace_back(at, at + a.bytes);
    at += a.bytes;
  }
  return out;
}

Expected<std::vector<std::vector<std::byte>>> ReferenceProgram::exchange(const ReferenceQuestion& q, const std::string& header) {
  const Clock::time_point until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
  std::vector<std::span<const std::byte>> parts = {std::as_bytes(std::span(header))};
  for (const ReferenceArray& a : q.inputs) parts.push_back(*a.data);
  std::size_t part = 0, sent = 0;
  std::string reply;
  std::vector<char> buffer(1 << 16);
  if (::recv(socket_.get(), buffer.data(), 1, MSG_PEEK | MSG_DONTWAIT) > 0)
    return failed(fmt::format("wrote more than its answer to the question before {}", q.name));
  for (;;) {
    if (stop_ && *stop_) {
      end();
      return Error{Outcome::kInterrupted, "interrupted", q.name, ""};
    }
    while (part < parts.size() && sent == parts[part].size()) {
      ++part;
      sent = 0;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    late_ += left <= 0 ? 1 : 0;
    if (left <= 0)
      return failed(fmt::format("gives no {}answer for {} within {} s{}", reply.empty() ? "" : "whole ", q.name, seconds_,
                                reply.empty() ? "" : fmt::format(": {} bytes came, the line of JSON among them", reply.size())));
    pollfd poll{socket_.get(), static_cast<short>(POLLIN | (part < parts.size() ? POLLOUT : 0)), 0};
    if (::poll(&poll, 1, static_cast<int>(std::min<long long>(left, 200))) < 0 && errno != EINTR) return failed("cannot be reached");
    if ((poll.revents & POLLOUT) != 0) {
      const ssize_t n = ::send(socket_.get(), parts[part].data() + sent, parts[part].size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && errno != EAGAIN && errno != EINTR) return failed(fmt::format("ended before it was asked for {}", q.name));
      sent += static_cast<std::size_t>(std::max<ssize_t>(0, n));
    }
    if ((poll.revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
    const ssize_t n = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (n <= 0) return failed(fmt::format("{} {}", reply.empty() ? "ended before it answered" : "ended in its answer for", q.name));
    reply.append(buffer.data(), static_cast<std::size_t>(n));
    bool whole = false;
    Expected<std::vector<std::vector<std::byte>>> answer = answerOf(q, reply, whole);
    if (!answer && whole && part == parts.size())
      return Error{Outcome::kBadInput, fmt::format("the reference program {} ({})", answer.error().what, q.name), commandText(command_),
                   ""};
    if (!answer) return failed(fmt::format("{} ({})", answer.error().what, q.name));
    if (!whole) continue;
    if (part < parts.size()) return failed(fmt::format("answers before it has read all of the inputs of {}", q.name));
    failures_ = late_;
    return answer;
  }
}

Expected<std::vector<std::vector<std::byte>>> ReferenceProgram::ask(const ReferenceQuestion& question) {
  const std::lock_guard lock(mutex_);
  if (failures_ >= kMostFailures)
    return Error{Outcome::kBadInput,
                 fmt::format("the reference program has failed {} times and is not asked again; it {}", failures_, last_),
                 commandText(command_), wrote_};
  if (pid_ < 0)
    if (Status bad = start()) {
      ++failures_;
      last_ = "does not start";
      return *bad;
    }
  return exchange(question, headerOf(question));
}

}  // namespace lanewise
