"""XXH3-64 with seed 0, written from its specification in plain integers: a second source for the hash cases.

The expected hashes come from here, and generation holds the reference, which calls the C library, to them. The two
share no code. The secret alone is no independent source: a byte left out when it was typed in was found by comparing
hashes with the C library's; all 192 were then compared with the crate xxhash-rust. The tests hold this module to the
hashes of the empty input, ``a`` and ``abc`` as they are commonly published (written from memory, no document at hand).
"""

from __future__ import annotations

from collections.abc import Sequence

M32 = 2**32 - 1
M64 = 2**64 - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MIX = 0x165667919E3779F9
RRMXMX = 0x9FB21C651E98DF25

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def xxh3_64(data: bytes) -> int:
    """Hash ``data``; each range of lengths has its own way."""
    length = len(data)
    if length == 0:
        return _avalanche64(_u64(SECRET, 56) ^ _u64(SECRET, 64))
    if length <= 3:
        return _up_to_3(data)
    if length <= 8:
        return _up_to_8(data)
    if length <= 16:
        return _up_to_16(data)
    if length <= 128:
        return _up_to_128(data)
    return _up_to_240(data) if length <= 240 else _long(data)


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _u64(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _fold(a: int, b: int) -> int:
    """The two halves of the 128-bit product, exclusive-or."""
    product = a * b
    return (product & M64) ^ (product >> 64)


def _avalanche(h: int) -> int:
    h ^= h >> 37
    h = h * MIX & M64
    return h ^ h >> 32


def _avalanche64(h: int) -> int:
    h ^= h >> 33
    h = h * P64_2 & M64
    h ^= h >> 29
    h = h * P64_3 & M64
    return h ^ h >> 32


def _swap64(value: int) -> int:
    return int.from_bytes(value.to_bytes(8, "little"), "big")


def _rotate(value: int, by: int) -> int:
    return (value << by | value >> (64 - by)) & M64


def _up_to_3(data: bytes) -> int:
    first, middle, last = data[0], data[len(data) >> 1], data[-1]
    combined = first << 16 | middle << 24 | last | len(data) << 8
    return _avalanche64(combined ^ _u32(SECRET, 0) ^ _u32(SECRET, 4))


def _up_to_8(data: bytes) -> int:
    h = (_u32(data, len(data) - 4) | _u32(data, 0) << 32) ^ _u64(SECRET, 8) ^ _u64(SECRET, 16)
    h ^= _rotate(h, 49) ^ _rotate(h, 24)
    h = h * RRMXMX & M64
    h ^= (h >> 35) + len(data)
    h = h * RRMXMX & M64
    return h ^ h >> 28


def _up_to_16(data: bytes) -> int:
    low = _u64(data, 0) ^ _u64(SECRET, 24) ^ _u64(SECRET, 32)
    high = _u64(data, len(data) - 8) ^ _u64(SECRET, 40) ^ _u64(SECRET, 48)
    return _avalanche((len(data) + _swap64(low) + high + _fold(low, high)) & M64)


def _mix16(data: bytes, at: int, secret: int) -> int:
    return _fold(_u64(data, at) ^ _u64(SECRET, secret), _u64(data, at + 8) ^ _u64(SECRET, secret + 8))


def _up_to_128(data: bytes) -> int:
    total = len(data) * P64_1
    for i in range((len(data) - 1) // 32 + 1):
        total += _mix16(data, 16 * i, 32 * i) + _mix16(data, len(data) - 16 * (i + 1), 32 * i + 16)
    return _avalanche(total & M64)


def _up_to_240(data: bytes) -> int:
    total = len(data) * P64_1
    for i in range(8):
        total += _mix16(data, 16 * i, 16 * i)
    total = _avalanche(total & M64)
    for i in range(8, len(data) // 16):
        total += _mix16(data, 16 * i, 16 * (i - 8) + 3)
    total += _mix16(data, len(data) - 16, 136 - 17)
    return _avalanche(total & M64)


def _accumulate(lanes: Sequence[int], data: bytes, at: int, secret: int) -> list[int]:
    out = list(lanes)
    for i in range(8):
        value = _u64(data, at + 8 * i)
        key = value ^ _u64(SECRET, secret + 8 * i)
        out[i ^ 1] = (out[i ^ 1] + value) & M64
        out[i] = (out[i] + (key & M32) * (key >> 32)) & M64
    return out


def _scramble(lanes: Sequence[int]) -> list[int]:
    at = len(SECRET) - 64
    return [(lane ^ lane >> 47 ^ _u64(SECRET, at + 8 * i)) * P32_1 & M64 for i, lane in enumerate(lanes)]


def _long(data: bytes) -> int:
    lanes = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    stripes = (len(data) - 1) // 64
    per_block = (len(SECRET) - 64) // 8
    for stripe in range(stripes):
        lanes = _accumulate(lanes, data, 64 * stripe, 8 * (stripe % per_block))
        # A block is scrambled once full; the stripe that ends the data never ends a block here.
        if stripe % per_block == per_block - 1 and stripe < (len(data) - 1) // (64 * per_block) * per_block:
            lanes = _scramble(lanes)
    lanes = _accumulate(lanes, data, len(data) - 64, len(SECRET) - 64 - 7)
    total = len(data) * P64_1
    for i in range(4):
        a = lanes[2 * i] ^ _u64(SECRET, 11 + 16 * i)
        b = lanes[2 * i + 1] ^ _u64(SECRET, 19 + 16 * i)
        total += _fold(a, b)
    return _avalanche(total & M64)
