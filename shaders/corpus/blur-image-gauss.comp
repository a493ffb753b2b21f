// A Gaussian blur of rows of an RGBA32F image, nine taps, through shared memory with an apron.
// small: --groups 2,6 --image inputImage=f32:noise:1200:rgba32f:50x6 --image resultImage=zeros:rgba32f:50x6
// large: --groups 8,512 --image inputImage=f32:noise:1048576:rgba32f:512x512 --image resultImage=zeros:rgba32f:512x512
// differs: 1e-5 sums of products may be contracted
#version 450
#define RADIUS 4
layout (local_size_x = 64, local_size_y = 1) in;
layout (binding = 0, rgba32f) uniform readonly image2D inputImage;
layout (binding = 1, rgba32f) uniform image2D resultImage;
shared vec4 row[64 + 2 * RADIUS];
void main()
{
	const float weights[RADIUS + 1] = float[](0.2270270270, 0.1945945946, 0.1216216216, 0.0540540541, 0.0162162162);
	ivec2 size = imageSize(inputImage);
	ivec2 pos = ivec2(gl_GlobalInvocationID.xy);
	int l = int(gl_LocalInvocationID.x);
	row[l + RADIUS] = imageLoad(inputImage, ivec2(min(pos.x, size.x - 1), pos.y));
	if (l < RADIUS) {
		row[l] = imageLoad(inputImage, ivec2(clamp(pos.x - RADIUS, 0, size.x - 1), pos.y));
		row[l + 64 + RADIUS] = imageLoad(inputImage, ivec2(min(pos.x + 64, size.x - 1), pos.y));
	}
	barrier();
	if (pos.x >= size.x) return;
	vec4 rgba = row[l + RADIUS] * weights[0];
	for (int i = 1; i <= RADIUS; ++i)
		rgba += (row[l + RADIUS - i] + row[l + RADIUS + i]) * weights[i];
	imageStore(resultImage, pos, rgba);
}
