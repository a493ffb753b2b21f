// What the depth pyramids share: depths as integer keys. The including file's push constants have `reduction`: 0 for max, 1 for min.
//
// A key is an integer that orders as the depth does (-0 below +0), so that the reduction is one integer maximum: exact on every device,
// where a float maximum may flush denormals or pick either zero. For min every bit is turned over, which turns the order around.
int orderOf(int bits) { return bits ^ ((bits >> 31) & 0x7fffffff); }  // its own inverse: the sign bit stays

int keyOfBits(uint bits) { return orderOf(int(bits)) ^ -int(push.reduction); }
int keyOf(float depth) { return keyOfBits(floatBitsToUint(depth)); }

float depthOf(int key) { return intBitsToFloat(orderOf(key ^ -int(push.reduction))); }
