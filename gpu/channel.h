// Messages over a stream socket. Each wait has a time limit. While it waits, it reads the other process's text output, so that process
// never blocks.
//
// A message is {magic, kind, length} and that many bytes. Not thread-safe: one user at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "gpu/wire.h"

namespace lanewise {

// A file descriptor that closes itself.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }
  int get() const { return fd_; }
  void close();

 private:
  int fd_ = -1;
};

struct Message {
  MessageKind kind{};
  Bytes payload;
};

enum class ChannelTrouble : std::uint8_t { kClosed, kTimedOut, kGarbled };

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // none: wait for ever
Deadline deadlineIn(double seconds);

class Channel {
 public:
  Channel() = default;
  // `text`, if given, is the reading end of the other process's output. Its last bytes are kept.
  explicit Channel(FileDescriptor socket, FileDescriptor text = {});

  std::optional<ChannelTrouble> send(MessageKind kind, std::span<const std::byte> payload, Deadline deadline);
  std::variant<Message, ChannelTrouble> receive(Deadline deadline);

  // Waits for the beginning of a message, or for the channel's end. False: the time limit has passed.
  bool arrives(Deadline deadline);

  int socket() const { return socket_.get(); }
  void close() { socket_.close(); }
  // The last text that the other process has printed until now, at most 2000 bytes.
  std::string lastText();

 private:
  // Waits until the socket is ready for `events`.
  std::optional<ChannelTrouble> wait(short events, Deadline deadline);
  std::optional<ChannelTrouble> sendAll(std::span<const std::byte> bytes, Deadline deadline);
  std::optional<ChannelTrouble> receiveAll(std::span<std::byte> bytes, Deadline deadline);
  void readText();

  FileDescriptor socket_, text_;
  std::string tail_;
};

}  // namespace lanewise
