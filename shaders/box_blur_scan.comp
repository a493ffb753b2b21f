// The vertical pass of box-blur/single/mps: a workgroup makes sixteen columns, with sixteen invocations per column. The window's sum at i
// is the one at i - 1 plus what enters minus what leaves. A workgroup takes 32 texels of every column per iteration. It adds up these
// differences by a work-efficient prefix scan (Blelloch, "Prefix Sums and Their Applications", 1990) in workgroup memory. Every texel is
// read twice, whatever the radius.
//
// Workgroup memory: 32 differences per column, with one element of padding after each 16, so that the scan's strides of 2^n fall on
// different banks. 34 * 16 bytes = 544 per column, 8704 in all.
//
// Barriers: each orders the writes of one step of the scan before the reads of the next. All invocations of the workgroup reach all of
// them, also those of columns outside of the picture. Unsigned differences wrap, and the total is right again.
#version 460
#extension GL_GOOGLE_include_directive : require

const int kColumns = 16;
const int kTogether = 16;         // invocations per column
const int kTurn = 2 * kTogether;  // texels of a column per iteration
layout(local_size_x = kColumns, local_size_y = kTogether) in;

#include "box_blur.glsl"

const int kPitch = kTurn + kTurn / 16;
shared SUM scanned[kColumns * kPitch];

int slot(int i) { return int(gl_LocalInvocationID.x) * kPitch + i + i / 16; }

// The sum of the window around position -1, in all invocations of the column. Each adds up every 16th texel, then all add the 16 sums.
SUM windowBefore(int line, int me) {
  SUM mine = SUM(0);
  if (line < lineCount())
    for (int i = me - 1 - push.radius; i < push.radius; i += kTogether) mine += readTexel(line, i);
  scanned[slot(me)] = mine;
  barrier();
  SUM sum = SUM(0);
  for (int i = 0; i < kTogether; ++i) sum += scanned[slot(i)];
  barrier();
  return sum;
}

// Makes each element of the column the sum of those before it. Returns the sum of all.
SUM scanColumn(int me) {
  for (int step = 1; step < kTurn; step *= 2) {
    int right = 2 * step * (me + 1) - 1;
    if (right < kTurn) scanned[slot(right)] += scanned[slot(right - step)];
    barrier();
  }
  SUM total = scanned[slot(kTurn - 1)];
  barrier();
  if (me == 0) scanned[slot(kTurn - 1)] = SUM(0);
  barrier();
  for (int step = kTogether; step > 0; step /= 2) {
    int right = 2 * step * (me + 1) - 1;
    if (right < kTurn) {
      SUM before = scanned[slot(right - step)];
      scanned[slot(right - step)] = scanned[slot(right)];
      scanned[slot(right)] += before;
    }
    barrier();
  }
  return total;
}

SUM differenceAt(int line, int i) {
  if (line >= lineCount() || i >= lineLength()) return SUM(0);
  return readTexel(line, i + push.radius) - readTexel(line, i - 1 - push.radius);
}

void main() {
  int line = int(gl_GlobalInvocationID.x), me = int(gl_LocalInvocationID.y);
  SUM carried = windowBefore(line, me);
  for (int turn = 0; turn < lineLength(); turn += kTurn) {
    SUM first = differenceAt(line, turn + me), second = differenceAt(line, turn + me + kTogether);
    scanned[slot(me)] = first;
    scanned[slot(me + kTogether)] = second;
    barrier();
    SUM total = scanColumn(me);
    SUM upper = carried + scanned[slot(me)] + first, lower = carried + scanned[slot(me + kTogether)] + second;
    if (line < lineCount() && turn + me < lineLength()) writeMean(texelAt(line, turn + me), upper);
    if (line < lineCount() && turn + me + kTogether < lineLength()) writeMean(texelAt(line, turn + me + kTogether), lower);
    carried += total;
    barrier();
  }
}
