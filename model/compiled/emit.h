// Writes a program as one function of LLVM (frame.h). Lanes are elements of vectors, values that are the same in all lanes are scalars.
//
// Lanes that wait in front of a block are a mask there (flow.h); behind each block the first one that has any is executed. A value that is
// used in another block is a variable of the function. What an operation's row calls one instruction of a machine is that instruction;
// every other operation calls the interpreter's handler on the batch's registers. So do operations whose rows are not the strict ones.
//
// Of a program whose lanes run alone (Program::separateLanes), a function runs one lane: every value is a scalar, and where code is written
// for vectors they have one element.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "model/compiled/builder.h"
#include "model/compiled/flow.h"
#include "model/contract/format.h"
#include "model/ir/operation_info.h"

namespace lanewise::compiled {

class Emitter {
 public:
  Emitter(const LaidProgram& program, const Flow& flow, const Builder& builder, llvm::Value function);
  void run();

  std::uint32_t savedBytes() const { return savedBytes_; }
  std::uint32_t texelOperations() const { return texelOperations_; }
  bool marks() const { return marks_; }

 private:
  // --- Control (emit.cpp)
  void prologue();
  void entries();
  void block(std::uint32_t b);
  void lookForStop(llvm::Block on);
  void stop(std::uint32_t number);
  void forgetKnown();
  void guard(ir::Value v);
  void end(std::uint32_t b);
  void moveInto(std::uint32_t b);
  void enter(std::uint32_t b, std::vector<std::pair<std::uint32_t, llvm::Value>> parts, bool whole);
  void finish(std::uint32_t b);
  void giveUp();
  // Bytes of what is laid out by lane; more for few lanes, so that it stays aligned.
  std::uint32_t scratchRow() const { return std::max(b_.width, kGroup); }
  llvm::Value placeOf(ir::Value v);  // in Frame::saved
  llvm::Value placeOfMask(std::uint32_t b);

  // --- Values
  const ir::Node& node(ir::Value v) const { return f_.nodes[v]; }
  bool isConstant(ir::Value v) const { return f_.isConstant(v); }
  // As its own type; `asVarying`: of every lane.
  llvm::Value get(ir::Value v, bool asVarying);
  llvm::Value bits(ir::Value v, bool asVarying);
  llvm::Value constant(ir::Value v) const;
  llvm::Value fromBits(llvm::Value value, Scalar type, bool varying) const;
  llvm::Value toBits(llvm::Value value, Scalar type, bool varying) const;
  void set(ir::Value v, llvm::Value value);
  llvm::Value slotOf(ir::Value v, bool inWhole);
  llvm::Value readSlot(ir::Value v, bool inWhole = false);  // Frame::whole
  void writeSlot(ir::Value v, bool inWhole = false);
  void instruction(ir::Value v);

  // --- What a machine does (emit_values.cpp). nullptr: a handler does it.
  llvm::Value compute(ir::Value v);
  llvm::Value combine(ir::Code operation, llvm::Type type, llvm::Value a, llvm::Value b) const;  // of two integers
  llvm::Value computeInteger(ir::Value v, ir::Machine machine, bool isSigned);
  llvm::Value computeBits(ir::Value v, ir::Machine machine);
  llvm::Value computeFloat(ir::Value v, ir::Machine machine);
  llvm::Value convert(ir::Value v, ir::Machine machine, bool isSigned);
  llvm::Value toInteger(llvm::Value a, Scalar from, Scalar to, bool isSigned, bool varying) const;
  llvm::Value divide(ir::Value v, ir::Machine machine, bool isSigned);
  llvm::Value divideLanes(ir::Value v, ir::Machine machine, bool isSigned);
  llvm::Value bitField(ir::Value v);
  llvm::Value address(ir::Value v);
  llvm::Value join(ir::Value v);
  void findExposedNans();
  llvm::Value oneNan(llvm::Value value, Scalar type, bool varying) const;

  // --- Memory (emit_memory.cpp). False: a handler does it.
  struct Window {
    llvm::Value data, size;
    llvm::Value marks = nullptr, touched = nullptr, first = nullptr, loads = nullptr;  // of a buffer that the program stores to
  };
  bool load(ir::Value v);
  bool store(ir::Value v);
  bool atomic(ir::Value v);
  bool local(ir::Value v);
  bool arrayLength(ir::Value v);
  bool windowOf(const ir::Access& access, ir::Value element, Window& out);
  llvm::Value limitOf(const Window& window, const ir::Access& access, std::uint32_t bytes);
  llvm::Value loadOne(const Window& w, const ir::Access& access, llvm::Value address, llvm::Type type, std::uint32_t bytes);
  llvm::Value loadLanes(const Window& w, const ir::Access& access, llvm::Value address, llvm::Type type, std::uint32_t bytes);
  // The lanes' places where they are neighbours, `length` lanes at a time.
  struct Runs {
    llvm::Value are;  // every one is, and inside
    std::uint32_t length = 0;
  };
  Runs runsOf(llvm::Value offset, llvm::Value inside, std::uint32_t bytes);
  std::vector<llvm::Value> placesIn(const Runs& runs, llvm::Value base, llvm::Value offset);
  llvm::Value insideOf(const Window& w, const ir::Access& access, llvm::Value address, std::uint32_t bytes);
  llvm::Value storedBits(ir::Value v, Scalar type, bool asVarying);
  using LaneBody = std::function<void(llvm::Value address, llvm::Value lane, llvm::Value own)>;
  void forEachLane(llvm::Value lanes, llvm::Value address, llvm::Value value, const LaneBody& body);

  // --- Marks (emit_marks.cpp)
  void findStored();
  void findGuarded();
  void loadMarks(llvm::Value at, Window& w);
  void mark(const Window& w, bool stores, llvm::Value at, std::uint32_t words, llvm::Value lanes = nullptr);
  void markRuns(const Window& w, const ir::Access& access, bool stores, const Runs& runs, llvm::Value address, std::uint32_t bytes);
  void markLoad(const Window& w, const ir::Access& access, llvm::Value inside, llvm::Value address, std::uint32_t bytes);
  void markStore(const Window& w, const ir::Access& access, llvm::Value at, std::uint32_t bytes);
  bool marksWords(const Window& w, std::uint32_t bytes);
  llvm::Block whereMarked(const Window& w);
  void noteUnmarked(ir::Value v);

  // --- Images (emit_images.cpp). False: a handler does it.
  struct Image {
    llvm::Value data = nullptr, rowBytes = nullptr, sliceBytes = nullptr, extent[3] = {}, layers = nullptr, isPlain = nullptr;
  };
  struct Places {
    llvm::Value inside = nullptr, offset = nullptr;
  };
  void loadImage(llvm::Value images, std::uint32_t resource);
  bool readTexels(ir::Value v);
  bool writeTexels(ir::Value v);
  bool imageSize(ir::Value v);
  const FormatInfo* formatOf(const ir::ImageAccess& access, ir::Value v) const;
  llvm::Value isPlain(const Image& image, ir::Value v);
  Places placesOf(const ir::ImageAccess& access, const FormatInfo& format, ir::Value v, bool varying);
  std::vector<llvm::Value> loadTexels(const Image& image, const FormatInfo& format, const Places& places, bool varying);
  void storeRuns(const Image& image, const FormatInfo& format, const Runs& runs, llvm::Value offset, const std::vector<llvm::Value>& words);
  llvm::Value decoded(const FormatInfo& format, std::uint32_t c, const std::vector<llvm::Value>& words, llvm::Value inside, bool varying);
  llvm::Value encoded(const FormatInfo& format, std::uint32_t c, llvm::Value bits);

  // --- Handlers (emit_calls.cpp)
  bool isStrict(ir::Value v) const;
  void call(ir::Value v);
  void setMask();
  bool subgroup(ir::Value v);
  bool readLane(ir::Value v);
  bool reduce(ir::Value v);
  bool vote(ir::Value v);
  bool broadcast(ir::Value v);
  bool ballot(ir::Value v);
  bool readBallot(ir::Value v);

  const LaidProgram& p_;
  const ir::Function& f_;
  const Flow& flow_;
  const Builder& b_;
  llvm::Value function_;
  llvm::Value frame_ = nullptr;
  llvm::Value registers_ = nullptr, saved_ = nullptr, code_ = nullptr, batch_ = nullptr, workgroup_ = nullptr, push_ = nullptr;
  llvm::Value lanes_ = nullptr, zeros_ = nullptr, pushBytes_ = nullptr;
  llvm::Value steps_ = nullptr, stepsBehind_ = nullptr, live_ = nullptr, scratch_ = nullptr;
  std::vector<Window> windows_;        // by resource
  std::vector<Image> images_;          // by resource
  std::vector<std::uint8_t> stored_;   // by resource: the program stores to the buffer
  std::vector<std::uint8_t> guarded_;  // by resource: the program stores to it, by atomics too; empty: nothing is guarded
  llvm::Value guards_ = nullptr, ahead_ = nullptr, aheadMask_ = nullptr;
  bool marks_ = true;                   // every access to such a buffer is marked
  std::vector<llvm::Value> variables_;  // by value
  std::vector<llvm::Value> current_;    // by value: in this segment
  std::vector<ir::Value> known_;        // that have an entry in current_
  std::vector<llvm::Value> masks_;      // by block: the lanes that wait there
  std::vector<llvm::Block> blocks_;
  std::vector<llvm::Block> resumed_;  // by stop
  llvm::Block givenUp_ = nullptr;
  llvm::Value mask_ = nullptr;  // of the block that is written
  std::uint32_t block_ = 0;
  bool lone_ = false;                                                        // the function runs one lane
  llvm::Value lane_ = nullptr, whole_ = nullptr, wholeRegisters_ = nullptr;  // as in the frame
  bool allLanes_ = false;                                                    // every lane has an invocation, and none returns before others
  std::vector<std::uint8_t> exposed_;                                        // by value: somebody may see which NaN it is
  std::vector<std::uint32_t> savedAt_, savedMaskAt_;
  std::uint32_t savedBytes_ = 0;
  std::uint32_t texelOperations_ = 0;
  llvm::Type valueType_ = nullptr;  // that forEachLane has in hand
  std::uint32_t valueBytes_ = 0;
};

}  // namespace lanewise::compiled
