"""Helper functions of the domain `images`: borders, colours, sampling."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "reflect",
        """
        def ⟨reflect|mirror_index|reflect101⟩(i: int, n: int)⟨| -> int⟩:
            if i < 0:
                return -i
            if i >= n:
                return 2 * n - 2 - i
            return i
        """,
        """
        def ⟨mirror|reflect_index⟩(pos: int, size: int)⟨| -> int⟩:
            # the border pixel is repeated
            if pos < 0:
                return -pos - 1
            return pos if pos < size else 2 * size - 1 - pos
        """,
    ),
    helper(
        "inside",
        """
        def ⟨in_image|inside|in_bounds⟩(y: int, x: int, height: int, width: int)⟨| -> bool⟩:
            return y >= 0 and y < height and x >= 0 and x < width
        """,
        """
        def ⟨is_inside|valid_pixel⟩(row: int, col: int, rows: int, cols: int)⟨| -> bool⟩:
            if row < 0 or row >= rows:
                return False
            return col >= 0 and col < cols
        """,
    ),
    helper(
        "luminance",
        """
        def ⟨luminance|luma|rgb_to_gray⟩(c: wp.vec3)⟨| -> float⟩:
            ⟨# Rec. 709
            |⟩return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
        """,
        """
        def ⟨brightness|get_luma⟩(color: wp.vec3)⟨| -> float⟩:
            return wp.dot(color, wp.vec3(0.299, 0.587, 0.114))
        """,
    ),
    helper(
        "gauss",
        """
        def ⟨gaussian|gauss|falloff⟩(d: float, sigma: float)⟨| -> float⟩:
            return wp.exp(-0.5 * d * d / (sigma * sigma))
        """,
        """
        def ⟨gauss_weight|rbf⟩(x: float, sigma: float)⟨| -> float⟩:
            t = x / sigma
            return wp.exp(-0.5 * t * t)
        """,
    ),
    helper(
        "encode",
        """
        def ⟨linear_to_srgb|encode_srgb|to_srgb⟩(c: float)⟨| -> float⟩:
            if c <= 0.0031308:
                return 12.92 * c
            return 1.055 * wp.pow(c, 1.0 / 2.4) - 0.055
        """,
        """
        def ⟨gamma_encode|apply_gamma⟩(c: float)⟨| -> float⟩:
            return wp.pow(wp.max(c, 1.0e-3), 1.0 / 2.2)
        """,
    ),
    helper(
        "bilinear",
        """
        def ⟨sample_bilinear|bilinear|fetch⟩(img: wp.array2d(dtype=float), y: float, x: float, height: int, width: int)⟨| -> float⟩:
            yc = wp.clamp(y, 0.0, float(height - 1))
            xc = wp.clamp(x, 0.0, float(width - 1))
            y0 = wp.min(int(yc), height - 2)
            x0 = wp.min(int(xc), width - 2)
            fy = yc - float(y0)
            fx = xc - float(x0)
            top = wp.lerp(img[y0, x0], img[y0, x0 + 1], fx)
            bottom = wp.lerp(img[y0 + 1, x0], img[y0 + 1, x0 + 1], fx)
            return wp.lerp(top, bottom, fy)
        """,
    ),
    helper(
        "popcount",
        """
        def ⟨popcount|count_bits|hamming_weight⟩(bits: int)⟨| -> int⟩:
            n = int(0)
            v = int(bits)
            while v != 0:
                # clear the lowest bit
                v = v & (v - 1)
                n += 1
            return n
        """,
        """
        def ⟨bit_count|num_set_bits⟩(value: int)⟨| -> int⟩:
            total = int(0)
            for i in range(8):
                total += (value >> i) & 1
            return total
        """,
    ),
    helper(
        "channel",
        """
        def ⟨get_byte|unpack_channel|channel_of⟩(packed: int, index: int)⟨| -> int⟩:
            return (packed >> (8 * index)) & 255
        """,
        """
        def ⟨extract|byte_at⟩(value: int, k: int)⟨| -> int⟩:
            # 8 bits for each channel
            shift = 8 * k
            return (value >> shift) & 0xFF
        """,
    ),
    helper(
        "aces",
        """
        def ⟨aces|aces_curve|filmic⟩(v: float)⟨| -> float⟩:
            num = v * (2.51 * v + 0.03)
            return num / (v * (2.43 * v + 0.59) + 0.14)
        """,
        """
        def ⟨reinhard|compress⟩(v: float)⟨| -> float⟩:
            return v / (1.0 + v)
        """,
    ),
)
