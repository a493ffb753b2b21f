// 1D convolution of a signal with a kernel of any length, zero-padded.
// small: --groups 3 --push i32:150,7 --buffer SignalBuffer=f32:noise:150:-1..1 --buffer TapBuffer=f32:noise:7 --out ResultBuffer=-:600
// large: --groups 4096 --push i32:262144,31 --buffer SignalBuffer=f32:noise:262144:-1..1 --buffer TapBuffer=f32:noise:31 --out ResultBuffer=-:1048576
// differs: 1e-5 sums of products may be contracted
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer SignalBuffer { float signal[]; };
layout(std430, binding = 1) readonly buffer TapBuffer { float taps[]; };
layout(std430, binding = 2) writeonly buffer ResultBuffer { float result[]; };
layout(push_constant) uniform PushConstants { int length_; int tapCount; };
void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i < length_) {
        int halfTaps = tapCount / 2;
        float s = 0;
        for (int t = 0; t < tapCount; t++) {
            int j = i + t - halfTaps;
            if (j >= 0 && j < length_) {
                s += signal[j] * taps[t];
            }
        }
        result[i] = s;
    }
}
