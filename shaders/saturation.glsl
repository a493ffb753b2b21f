// The numerator and the denominator of a texel's saturation: (max - min, max) over red, green and blue.
uvec2 saturationOf(uvec4 texel) {
  uint greatest = max(texel.r, max(texel.g, texel.b));
  return uvec2(greatest - min(texel.r, min(texel.g, texel.b)), greatest);
}
