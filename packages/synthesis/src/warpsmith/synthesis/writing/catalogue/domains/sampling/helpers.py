"""Helper functions of the domain `sampling`: distributions, searches, payoffs, windows."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "normal_cdf",
        '''
        def ⟨norm_cdf|normal_cdf⟩(x: float)⟨| -> float⟩:
            """Standard normal distribution function, logistic approximation."""
            return 1.0 / (1.0 + wp.exp(-1.5976 * x - 0.070565 * x * x * x))
        ''',
        """
        def std_normal_cdf(x: float):
            return 0.5 * (1.0 + wp.erf(x * 0.70710678))
        """,
        """
        def phi(x: float):
            return 0.5 * wp.erfc(-x * 0.70710678)
        """,
    ),
    helper(
        "normal_pdf",
        """
        def ⟨norm_pdf|gaussian⟩(x: float):
            return 0.39894228 * wp.exp(-0.5 * x * x)
        """,
        """
        def bell_curve(x: float)⟨| -> float⟩:
            z = x * x
            return wp.exp(-0.5 * z) / 2.5066283
        """,
    ),
    helper(
        "lower_bound",
        '''
        def ⟨lower_bound|find_interval⟩(offsets: wp.array(dtype=int), count: int, key: int):
            """Return the last index whose offset is not larger than the key."""
            lo = int(0)
            hi = int(count)
            while lo < hi:
                mid = (lo + hi + 1) // 2
                if offsets[mid] <= key:
                    lo = mid
                else:
                    hi = mid - 1
            return lo
        ''',
        """
        def search_offsets(offsets: wp.array(dtype=int), count: int, key: int) -> int:
            lo = int(0)
            hi = count + 1
            # offsets[lo] <= key < offsets[hi]
            while hi - lo > 1:
                mid = (lo + hi) ⟨// 2|>> 1⟩
                if offsets[mid] > key:
                    hi = mid
                else:
                    lo = mid
            return lo
        """,
    ),
    helper(
        "find_bin",
        """
        def ⟨find_bin|digitize⟩(edges: wp.array(dtype=float), count: int, value: float)⟨| -> int⟩:
            b = int(0)
            for k in range(1, count):
                if value >= edges[k]:
                    b = k
            return b
        """,
        '''
        def search_edges(edges: wp.array(dtype=float), count: int, value: float):
            """Return the last bin whose lower edge is not larger than the value, or 0."""
            lo = int(0)
            hi = int(count)
            while hi - lo > 1:
                mid = (lo + hi) // 2
                if value >= edges[mid]:
                    lo = mid
                else:
                    hi = mid
            return lo
        ''',
    ),
    helper(
        "payoff",
        """
        def ⟨option_payoff|intrinsic_value⟩(spot: float, strike: float, kind: int):
            if kind == {CALL}:
                return wp.max(spot - strike, 0.0)
            if kind == {PUT}:
                return wp.max(strike - spot, 0.0)
            if kind == {STRADDLE}:
                return wp.abs(spot - strike)
            # a forward
            return spot - strike
        """,
        """
        def exercise(spot: float, strike: float, kind: int)⟨| -> float⟩:
            gain = spot - strike
            if kind == {CALL}:
                return wp.max(gain, 0.0)
            elif kind == {PUT}:
                return wp.max(-gain, 0.0)
            ⟨elif kind == {STRADDLE}:
                return wp.abs(gain)
            |⟩return gain
        """,
    ),
    helper(
        "next_state",
        """
        def ⟨lcg_next|advance_lcg⟩(state: int):
            return (state * {LCG_A} + {LCG_C}) & {MASK}
        """,
        '''
        def xorshift15(state: int)⟨| -> int⟩:
            """Xorshift in 15 bits."""
            s = (state + 1) & {MASK}
            s = s ^ ((s << 7) & {MASK})
            s = s ^ (s >> 9)
            s = s ^ ((s << 8) & {MASK})
            return s
        ''',
    ),
    helper(
        "radical",
        '''
        def ⟨radical_inverse|van_der_corput⟩(index: int)⟨| -> float⟩:
            """Mirror the lower eight bits at the binary point."""
            r = int(0)
            for b in range(8):
                r = r * 2 + ((index >> b) & 1)
            return float(r) / 256.0
        ''',
        """
        def halton3(index: int):
            # four digits in base 3
            r = int(0)
            rest = index
            for d in range(4):
                r = r * 3 + rest % 3
                rest = rest // 3
            return float(r) / 81.0
        """,
    ),
    helper(
        "taper",
        """
        def ⟨hann|hann_window⟩(k: int, length: int):
            return 0.5 - 0.5 * wp.cos(6.2831853 * float(k) / float(length - 1))
        """,
        """
        def hamming(k: int, length: int)⟨| -> float⟩:
            return 0.54 - 0.46 * wp.cos(2.0 * wp.pi * float(k) / float(length - 1))
        """,
        """
        def triangle_window(k: int, length: int):
            half = 0.5 * float(length - 1)
            return 1.0 - wp.abs(float(k) - half) / (half + 1.0)
        """,
    ),
)
