#include "tools/dap/server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

namespace lanewise::dap {
namespace {

// What came and is not carried out yet.
class Inbox {
 public:
  void put(Expected<Json> message) {
    const std::lock_guard lock(mutex_);
    Entry entry{std::move(message), false, false};
    if (entry.message) {
      Arguments request(*entry.message);
      const std::string name = request.textOr("command");
      entry.interrupts = name == "pause" || name == "terminate" || name == "disconnect";
      if (name == "cancel") entry.interrupts = cancel(request.inner("arguments"));
    }
    if (entry.interrupts) ++interrupts_;
    waiting_.push_back(std::move(entry));
    come_.notify_one();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    isEnded_ = true;
    ++interrupts_;
    come_.notify_one();
  }
  bool interrupts() const { return interrupts_ > 0; }

  struct Entry {
    Expected<Json> message;
    bool interrupts, isCancelled;
  };
  // Nothing: no more comes.
  std::optional<Entry> take() {
    std::unique_lock lock(mutex_);
    now_ = -1;
    come_.wait(lock, [&] { return isEnded_ || !waiting_.empty(); });
    if (waiting_.empty()) return {};
    Entry out = std::move(waiting_.front());
    waiting_.pop_front();
    if (out.interrupts) --interrupts_;
    if (out.message) now_ = Arguments(*out.message).numberOr("seq", -1);
    return out;
  }

 private:
  // True where what is to be cancelled goes on now.
  bool cancel(Arguments a) {
    if (a.has("progressId")) return true;
    const std::int64_t which = a.numberOr("requestId", -1);
    if (which == -1) return false;
    for (Entry& e : waiting_)
      if (e.message && Arguments(*e.message).numberOr("seq", -1) == which) e.isCancelled = true;
    return which == now_;
  }

  std::mutex mutex_;
  std::condition_variable come_;
  std::deque<Entry> waiting_;
  bool isEnded_ = false;
  std::atomic<int> interrupts_ = 0;
  std::int64_t now_ = -1;  // what is carried out
};

// In pieces that a pipe or a socket takes at once when it takes anything; given up when `isOver`.
void writeInPieces(int out, std::string_view text, const std::function<bool()>& isOver) {
  while (!text.empty()) {
    pollfd ready{out, POLLOUT, 0};
    if (::poll(&ready, 1, 100) <= 0) {
      if (isOver()) return;
      continue;
    }
    const ssize_t n = ::write(out, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // nobody reads: the input ends too
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

// Until the input ends, or `isOver`.
void readAll(int in, Inbox& inbox, const std::function<bool()>& isOver) {
  MessageReader reader;
  char buffer[1 << 16];
  while (!isOver() && !reader.isLost()) {
    pollfd ready{in, POLLIN, 0};
    if (::poll(&ready, 1, 100) <= 0) continue;
    const ssize_t n = ::read(in, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    reader.add({buffer, static_cast<std::size_t>(n)});
    while (std::optional<Expected<Json>> message = reader.next()) inbox.put(std::move(*message));
  }
  inbox.end();
}

Error trouble(const std::string& what) {
  return {Outcome::kIoError, fmt::format("{}: {}", what, std::strerror(errno)), "", ""};
}

}  // namespace

void serve(int in, int out, const Adapter::Opener& opener, const std::function<bool()>& isOver) {
  Inbox inbox;
  std::atomic<bool> isServed = false;
  Adapter adapter(
      opener, [out, &isOver](const Json& message) { writeInPieces(out, framed(message), isOver); },
      [&inbox] { return inbox.interrupts(); });
  std::thread reads([&] { readAll(in, inbox, [&] { return isServed || isOver(); }); });
  while (!adapter.isOver()) {
    const std::optional<Inbox::Entry> entry = inbox.take();
    if (!entry) break;
    if (!entry->message)
      adapter.refuse({}, entry->message.error());
    else if (entry->isCancelled)
      adapter.refuse(*entry->message, {Outcome::kInterrupted, "cancelled", "", ""});
    else
      adapter.handle(*entry->message);
  }
  isServed = true;
  reads.join();
}

Status serveTcp(std::uint16_t port, const Adapter::Opener& opener, const std::function<void(std::uint16_t)>& listening,
                const std::function<bool()>& isOver) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return trouble("no socket");
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(listener, 8) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const Error error = trouble(fmt::format("port {}", port));
    ::close(listener);
    return error;
  }
  listening(ntohs(address.sin_port));
  std::vector<std::thread> sessions;
  while (!isOver()) {
    pollfd ready{listener, POLLIN, 0};
    if (::poll(&ready, 1, 100) <= 0) continue;
    const int editor = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (editor < 0) continue;
    sessions.emplace_back([editor, &opener, &isOver] {
      serve(editor, editor, opener, isOver);
      ::close(editor);
    });
  }
  for (std::thread& s : sessions) s.join();
  ::close(listener);
  return {};
}

}  // namespace lanewise::dap
