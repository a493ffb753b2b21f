// What the depth pyramids share: depths as integer keys. The including file's push constants have `reduction`: 0 for max, 1 for min.
//
// Keys have the same order as depths (-0 below +0). The reduction is then an integer maximum, which is exact on every device. A maximum of
// floats may flush denormals or return either zero. For min every bit of a key is inverted, which reverses the order.
int orderOf(int bits) { return bits ^ ((bits >> 31) & 0x7fffffff); }  // its own inverse: the sign bit stays

int keyOfBits(uint bits) { return orderOf(int(bits)) ^ -int(push.reduction); }
int keyOf(float depth) { return keyOfBits(floatBitsToUint(depth)); }

int bitsOfKey(int key) { return orderOf(key ^ -int(push.reduction)); }
float depthOf(int key) { return intBitsToFloat(bitsOfKey(key)); }
