"""What a kernel's bindings have: arrays, memory for results, images."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from typing import Any, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _lanewise, arguments
from .errors import BadInput

Shape = Union[int, Tuple[int, ...]]


@dataclass(eq=False)
class Empty:
    """Memory that the kernel fills. Its bytes are A7 until then, so that what was never written is seen."""

    shape: Shape
    dtype: np.dtype[Any]


def empty(shape: Shape, dtype: Any) -> Empty:
    """A buffer for results, as numpy.empty has them."""
    made = np.dtype(dtype)
    if made.hasobject or not made.isnative:
        raise BadInput("a kernel stores numbers in this machine's byte order", str(made))
    sizes = (*arguments.numbers(shape), *made.shape)
    if any(one < 0 for one in sizes) or math.prod(sizes) * made.base.itemsize >= 1 << 63:
        raise BadInput(f"no array has the shape {shape}")
    return Empty(sizes, made.base)


@dataclass(eq=False)
class Image:
    """An image. `array` has its texels by row: (height, width) or (height, width, channels). None: the kernel fills it. `size` is (width,),
    (width, height) or (width, height, depth); without it the array's shape says it. `format` is GLSL's or Vulkan's name: "rgba8ui",
    "R32_SFLOAT". `sampler`, where the kernel samples it: "linear,repeat"."""

    array: Optional[npt.NDArray[Any]]
    format: str
    size: Optional[Tuple[int, ...]] = None
    sampler: str = ""

    @staticmethod
    def open(file: Any, format: str, sampler: str = "") -> "Image":
        """A picture file in this format."""
        raw, size = _lanewise.read_picture(os.fsdecode(file), format)
        return Image(_typed(raw, format, tuple(size)), format, tuple(size), sampler)

    def save(self, file: Any) -> None:
        """Writes a .png, .tif or .exr file."""
        if self.array is None:
            raise BadInput("this image has no texels yet", self.format, "result.image() has those of a run")
        _lanewise.write_picture(os.fsdecode(file), bytes_of(self.array), self.format, self.shape)

    @property
    def shape(self) -> Tuple[int, ...]:
        """The size in texels."""
        if self.size is not None:
            size = arguments.numbers(self.size)
            if not 1 <= len(size) <= 3 or any(not 1 <= one < 1 << 32 for one in size):
                raise BadInput(f"no image has the size {self.size}", self.format, "(width, height)")
            return size
        if self.array is None or self.array.ndim not in (2, 3):
            raise BadInput("an image without rows has no size", self.format, "give size=(width, height)")
        return (self.array.shape[1], self.array.shape[0])


def empty_image(width: int, height: int, format: str) -> Image:
    """An image for results."""
    return Image(None, format, (width, height))


Data = Union[npt.NDArray[Any], Empty, Image]


def bytes_of(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array's bytes in C order; a copy only of what is not in that order."""
    if not isinstance(array, np.ndarray):
        raise BadInput(f"a {type(array).__name__} is no array", "", "numpy.asarray makes one")
    if array.dtype.hasobject:
        raise BadInput("objects have no bytes", str(array.dtype), "give an array of numbers")
    if not array.dtype.isnative:
        raise BadInput("the array's bytes are in the order of another machine", str(array.dtype), "array.astype(array.dtype.newbyteorder('='))")
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def add_to(job: "_lanewise.Job", name: str, data: Data, output: bool) -> None:
    """Makes `data` a resource of the job. Its bytes are copied here, once."""
    if isinstance(data, Empty):
        job.add_output(name, math.prod(arguments.numbers(data.shape)) * data.dtype.itemsize)
    elif isinstance(data, Image):
        if not arguments.text("format", data.format):
            raise BadInput("an image has a format", name, "such as rgba8ui or R8G8B8A8_UINT")
        job.add_image(name, None if data.array is None else bytes_of(data.array), data.format, data.shape, output)
    else:
        job.add_buffer(name, bytes_of(data), output)


# Formats whose components all have one width, by GLSL's name and by Vulkan's.
_GLSL = re.compile(r"rg?(?:ba)?(?P<bits>8|16|32|64)(?P<kind>ui|i|f|_snorm)?$")
_VULKAN = re.compile(r"[rb](?P<bits>8|16|32|64)(?:g(?P=bits)(?:[rb](?P=bits)a(?P=bits))?)?_(?P<kind>[us]int|sfloat|[us]norm|srgb)$")
_KINDS = {"f": "f", "sfloat": "f", "i": "i", "sint": "i", "_snorm": "i", "snorm": "i"}


def _image_dtype(format: str, texel: int) -> np.dtype[Any]:
    """Numbers of the components' width; a packed texel is one number, or bytes."""
    known = _GLSL.match(format.lower()) or _VULKAN.match(format.lower())
    if known:
        return np.dtype(f"{_KINDS.get(known['kind'] or '', 'u')}{int(known['bits']) // 8}")
    return np.dtype(f"u{texel}") if texel in (1, 2, 4, 8) else np.dtype(np.uint8)


def _typed(raw: npt.NDArray[Any], format: str, size: Tuple[int, ...]) -> npt.NDArray[Any]:
    texels = int(np.prod(size))
    typed = raw.view(_image_dtype(format, raw.nbytes // max(1, texels)))
    rows = tuple(reversed(size))
    return typed.reshape(rows) if typed.size == texels else typed.reshape(*rows, -1)


def array_of(data: Data, raw: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The bytes of a result in the shape and type that went in. Nothing is copied."""
    if isinstance(data, Image):
        if data.array is not None and data.array.nbytes == raw.nbytes:
            return raw.view(data.array.dtype).reshape(data.array.shape)
        return _typed(raw, data.format, data.shape)
    return raw.view(data.dtype).reshape(data.shape)
