"""What a kernel's bindings have: arrays, memory for results, images."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional, Tuple, Union

import numpy as np

from . import _lanewise
from .errors import BadInput

Shape = Union[int, Tuple[int, ...]]


@dataclass(eq=False)
class Empty:
    """Memory that the kernel fills. Its bytes are A7 until then, so that what was never written is seen."""

    shape: Shape
    dtype: Any


def empty(shape: Shape, dtype: Any) -> Empty:
    """A buffer for results, as numpy.empty has them."""
    return Empty(shape, np.dtype(dtype))


@dataclass(eq=False)
class Image:
    """An image. `array` has its texels by row: (height, width) or (height, width, channels). None: the kernel fills it, and `size` is
    (width, height). `format` is GLSL's or Vulkan's name: "rgba8ui", "R32_SFLOAT"."""

    array: Optional[np.ndarray]
    format: str
    size: Optional[Tuple[int, int]] = None
    sampler: str = ""

    @staticmethod
    def open(file: str, format: str, sampler: str = "") -> "Image":
        """A picture file in this format."""
        read = _lanewise.read_picture(str(file), "picture", format)
        width, height, _ = read.extent
        data = read.copy_bytes()
        return Image(data.reshape(height, width, -1), format, (width, height), sampler)

    def save(self, file: str) -> None:
        """Writes a .png, .tif or .exr file."""
        _lanewise.write_picture(str(file), self._resource("picture"))

    def _size(self) -> Tuple[int, int]:
        if self.size is not None:
            return self.size
        if self.array is None or self.array.ndim < 2:
            raise BadInput("an image without rows has no size", self.format, "give size=(width, height)")
        return (self.array.shape[1], self.array.shape[0])

    def _resource(self, name: str) -> "_lanewise.Resource":
        width, height = self._size()
        extent = _lanewise.Extent(width, height, 1)
        if self.array is None:
            return _lanewise.output_image(name, self.format, extent, 1)
        made = _lanewise.Resource(name, bytes_of(self.array), False)
        made.shape_image(self.format, extent, 1, 1, 2)
        return made


def empty_image(width: int, height: int, format: str) -> Image:
    """An image for results."""
    return Image(None, format, (width, height))


Data = Union[np.ndarray, Empty, Image]


def bytes_of(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def resource_of(data: Data, name: str) -> "_lanewise.Resource":
    if isinstance(data, Empty):
        count = int(np.prod(data.shape)) * np.dtype(data.dtype).itemsize
        return _lanewise.output(name, count)
    if isinstance(data, Image):
        return data._resource(name)
    if isinstance(data, np.ndarray):
        if data.dtype.hasobject:
            raise BadInput("objects have no bytes", name, "give an array of numbers")
        return _lanewise.Resource(name, bytes_of(data), False)
    raise BadInput(f"a {type(data).__name__} is no data", name, "a numpy array, lanewise.empty() or lanewise.Image")



# Formats whose components all have one width, by GLSL's name and by Vulkan's.
_GLSL = re.compile(r"rg?(?:ba)?(?P<bits>8|16|32|64)(?P<kind>ui|i|f|_snorm)?$")
_VULKAN = re.compile(r"[rb](?P<bits>8|16|32|64)(?:g(?P=bits)(?:[rb](?P=bits)a(?P=bits))?)?_(?P<kind>[us]int|sfloat|[us]norm|srgb)$")
_KINDS = {"f": "f", "sfloat": "f", "i": "i", "sint": "i", "_snorm": "i", "snorm": "i"}


def _image_dtype(image: Image, texel: int) -> np.dtype:
    """Numbers of the components' width; a packed texel is one number, or bytes."""
    known = _GLSL.match(image.format.lower()) or _VULKAN.match(image.format.lower())
    if known:
        return np.dtype(f"{_KINDS.get(known['kind'] or '', 'u')}{int(known['bits']) // 8}")
    return np.dtype(f"u{texel}") if texel in (1, 2, 4, 8) else np.dtype(np.uint8)


def array_of(data: Data, raw: np.ndarray) -> np.ndarray:
    """The bytes of a result in the shape and type that went in. Nothing is copied."""
    if isinstance(data, Empty):
        return raw.view(data.dtype).reshape(data.shape)
    if isinstance(data, np.ndarray):
        return raw.view(data.dtype).reshape(data.shape)
    width, height = data._size()
    if data.array is not None and data.array.nbytes == raw.nbytes:
        return raw.view(data.array.dtype).reshape(data.array.shape)
    typed = raw.view(_image_dtype(data, raw.nbytes // max(1, width * height)))
    return typed.reshape(height, width, -1) if typed.size != width * height else typed.reshape(height, width)
