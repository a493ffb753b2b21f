#!/bin/sh
# A thousand sessions of the debugger, two at a time, print the same bytes. Usage: thousand_sessions.sh LANEWISE [COUNT]
set -e
program=$1 count=${2:-1000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/sum.comp" << 'END'
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer Data { uint data[]; };
shared uint sums[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  sums[i] = data[i];
  barrier();
  for (uint n = 4; n > 0; n /= 2) {
    if (i < n) sums[i] += sums[i + n];
    barrier();
  }
  data[i] = sums[i];
}
END
cat > "$folder/commands" << 'END'
break 10 if i == 1u
continue
lanes sums[i]
info lanes
memory
end
writer 0:0 4
why sums[1]
reverse-step
against schedule lanes-reverse
time
history sums[1]
END
cd "$folder"
seq "$count" | xargs -P 2 -I '{}' sh -c '"$0" debug sum.comp --buffer 0:0=u32:1..8 -x commands < /dev/null 2>&1 | sha256sum' "$program" | sort | uniq -c > hashes
cat hashes
[ "$(wc -l < hashes)" = 1 ]
"$program" debug sum.comp --buffer 0:0=u32:1..8 -x commands < /dev/null > once
grep -q 'last written by invocation 1,0,0' once
