#!/usr/bin/env python3
"""Draws Holdpoint's mark and writes every icon file in `icons/`.

The mark is a held card: an amber ring and a pause sign on a dark tile. It is drawn from distances, so every size
is sharp by itself; below 48 pixels the ring is left out and the bars grow, because a ring of half a pixel is dirt.
Only the standard library is used, so the files can be made again anywhere: `python3 scripts/icons.py`.
"""

import struct
import zlib
from pathlib import Path

ICONS = Path(__file__).resolve().parent.parent / "icons"
TILE_TOP, TILE_BOTTOM = (0x26, 0x2C, 0x36), (0x0D, 0x0F, 0x13)
EDGE = (0x36, 0x3D, 0x49)
AMBER = (0xFF, 0xBB, 0x3D)
HELD_SOFT = (0x33, 0x29, 0x1A)


def box(x, y, cx, cy, half_w, half_h, radius):
    """Signed distance to a rounded rectangle, in units of the tile (1.0 wide)."""
    qx, qy = abs(x - cx) - half_w + radius, abs(y - cy) - half_h + radius
    outside = (max(qx, 0.0) ** 2 + max(qy, 0.0) ** 2) ** 0.5
    return outside + min(max(qx, qy), 0.0) - radius


def over(below, above, cover):
    return tuple(b + (a - b) * cover for b, a in zip(below, above))


def pixel(x, y, unit, ring):
    """Colour and opacity at a point; `unit` is the size of one pixel, which makes the soft edge."""
    cover = lambda d: min(max(0.5 - d / unit, 0.0), 1.0)
    tile = box(x, y, 0.5, 0.5, 0.46, 0.46, 0.21)
    colour = over(TILE_TOP, TILE_BOTTOM, y)
    colour = over(colour, EDGE, cover(abs(tile + 0.008) - 0.008))
    if ring:
        card = box(x, y, 0.5, 0.5, 0.285, 0.285, 0.1)
        colour = over(colour, HELD_SOFT, cover(card))
        colour = over(colour, AMBER, cover(abs(card) - 0.02))
    half_w, half_h, gap = (0.047, 0.14, 0.1) if ring else (0.085, 0.24, 0.155)
    for side in (-1, 1):
        bar = box(x, y, 0.5 + side * gap, 0.5, half_w, half_h, 0.022 if ring else 0.03)
        colour = over(colour, AMBER, cover(bar))
    return colour, cover(tile)


def png(size):
    rows = bytearray()
    unit = 1.0 / size
    for j in range(size):
        rows.append(0)
        for i in range(size):
            colour, alpha = pixel((i + 0.5) * unit, (j + 0.5) * unit, unit, size >= 48)
            rows += bytes(round(c) for c in colour) + bytes((round(alpha * 255),))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(
        ">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(
        b"IEND", b"")


def ico(images):
    head, body = struct.pack("<HHH", 0, 1, len(images)), b""
    start = 6 + 16 * len(images)
    for size, data in images:
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), start + len(body))
        body += data
    return head + body


def icns(images):
    body = b"".join(kind + struct.pack(">I", len(data) + 8) + data for kind, data in images)
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def main():
    ICONS.mkdir(exist_ok=True)
    made = {size: png(size) for size in (16, 24, 32, 48, 64, 128, 256, 512, 1024)}
    for size in (16, 24, 32, 48, 64, 128, 256, 512):
        (ICONS / f"{size}x{size}.png").write_bytes(made[size])
    (ICONS / "icon.ico").write_bytes(ico([(s, made[s]) for s in (32, 16, 24, 48, 64, 256)]))
    apple = [(b"ic11", 32), (b"ic12", 64), (b"ic07", 128), (b"ic13", 256), (b"ic08", 256), (b"ic14", 512),
             (b"ic09", 512), (b"ic10", 1024)]
    (ICONS / "icon.icns").write_bytes(icns([(kind, made[size]) for kind, size in apple]))


if __name__ == "__main__":
    main()
