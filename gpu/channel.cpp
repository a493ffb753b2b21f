// See channel.h.
#include "gpu/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace lanewise {
namespace {

struct Header {
  std::uint32_t magic = 0x4c4e5731;  // "LNW1"
  std::uint32_t kind = 0;
  std::uint64_t length = 0;
};

constexpr std::uint64_t kMostPayload = std::uint64_t{1} << 36;
constexpr std::size_t kChunk = std::size_t{64} << 20;  // a wrong length allocates at most one chunk
constexpr std::uint64_t kMostReserved = std::uint64_t{1} << 30;
constexpr std::size_t kTail = 2000;

// Milliseconds for poll(), rounded up; -1 waits for ever.
int millisecondsTo(Deadline deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now()).count();
  return int(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void FileDescriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Deadline deadlineIn(double seconds) {
  // A limit of years means none; the clock's range must not overflow.
  if (!(seconds < 1e8)) return std::nullopt;
  const auto span = std::chrono::duration<double>(std::max(seconds, 0.0));
  return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(span);
}

Channel::Channel(FileDescriptor socket, FileDescriptor text) : socket_(std::move(socket)), text_(std::move(text)) {
  if (text_.get() >= 0) fcntl(text_.get(), F_SETFL, O_NONBLOCK);
}

std::optional<ChannelTrouble> Channel::wait(short events, Deadline deadline) {
  for (;;) {
    pollfd fds[2] = {{socket_.get(), events, 0}, {text_.get(), POLLIN, 0}};
    const int ready = poll(fds, 2, millisecondsTo(deadline));
    if (ready < 0 && errno != EINTR) return ChannelTrouble::kClosed;
    if (ready == 0) return ChannelTrouble::kTimedOut;
    if (ready > 0 && fds[1].revents) readText();
    // A closed socket is ready too: the transfer reports it.
    if (ready > 0 && fds[0].revents) return std::nullopt;
  }
}

std::optional<ChannelTrouble> Channel::sendAll(std::span<const std::byte> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      bytes = bytes.subspan(std::size_t(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (const auto trouble = wait(POLLOUT, deadline)) return trouble;
    } else if (errno != EINTR) {
      return ChannelTrouble::kClosed;
    }
  }
  return std::nullopt;
}

std::optional<ChannelTrouble> Channel::receiveAll(std::span<std::byte> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got > 0) {
      bytes = bytes.subspan(std::size_t(got));
    } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (const auto trouble = wait(POLLIN, deadline)) return trouble;
    } else if (got == 0 || errno != EINTR) {
      return ChannelTrouble::kClosed;
    }
  }
  return std::nullopt;
}

std::optional<ChannelTrouble> Channel::send(MessageKind kind, std::span<const std::byte> payload, Deadline deadline) {
  Header header;
  header.kind = std::uint32_t(kind);
  header.length = payload.size();
  if (const auto trouble = sendAll(std::as_bytes(std::span(&header, 1)), deadline)) return trouble;
  return sendAll(payload, deadline);
}

std::variant<Message, ChannelTrouble> Channel::receive(Deadline deadline) {
  Header header;
  if (const auto trouble = receiveAll(std::as_writable_bytes(std::span(&header, 1)), deadline)) return *trouble;
  if (header.magic != Header{}.magic || header.length > kMostPayload) return ChannelTrouble::kGarbled;
  Message message{MessageKind(header.kind), {}};
  message.payload.reserve(std::size_t(std::min(header.length, kMostReserved)));
  while (message.payload.size() < header.length) {
    const std::size_t have = message.payload.size();
    message.payload.resize(have + std::size_t(std::min<std::uint64_t>(header.length - have, kChunk)));
    if (const auto trouble = receiveAll(std::span(message.payload).subspan(have), deadline)) return *trouble;
  }
  return message;
}

bool Channel::arrives(Deadline deadline) {
  return wait(POLLIN, deadline) != ChannelTrouble::kTimedOut;
}

void Channel::readText() {
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(text_.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) text_.close();  // poll() ignores a closed one
    if (got <= 0) return;
    tail_.append(buffer, std::size_t(got));
    if (tail_.size() > 2 * kTail) tail_.erase(0, tail_.size() - kTail);
  }
}

std::string Channel::lastText() {
  if (text_.get() >= 0) readText();
  if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
  return tail_;
}

}  // namespace lanewise
