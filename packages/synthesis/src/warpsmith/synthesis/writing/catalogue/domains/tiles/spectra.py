"""Ideas of the domain `tiles`: Fourier transforms of signals, a few rows for each block."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BLOCKS = (32, 64)

SPECTRA = (
    Idea(
        "transform",
        "fft_rows forward_fft transform_signals ifft_rows",
        "transform each signal ⟨1:to its spectrum|back from its spectrum|and scale it⟩",
        """
        $sig = wp.tile_load({f}, shape=({tr}, {fft}), offset=($u * {tr}, 0))
        ⟨1:wp.tile_fft($sig)|wp.tile_ifft($sig)
        ⟨# the inverse transform is not normalized
        |⟩$sig = $sig * ⟨0.015625|0.0078125⟩|$sig = $sig * ⟨0.5|0.25⟩
        wp.tile_⟨fft|ifft⟩($sig)⟩
        wp.tile_⟨store|store|atomic_add⟩({f_out}, $sig, offset=($u * {tr}, 0))
        """,
        threads="u",
        kinds="tile_fft",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "power",
        "power_spectrum spectral_energy periodogram signal_power",
        "compute ⟨1:the power spectrum|the energy|power and energy⟩ of each signal",
        """
        $sig = wp.tile_load({f}, shape=({tr}, {fft}), offset=($u * {tr}, 0))
        wp.tile_fft($sig)
        $pw = wp.tile_map(⟨@power|wp.length_sq⟩, $sig)⟨| * 0.015625⟩
        ⟨1:wp.tile_store({pow}, $pw, offset=($u * {tr}, 0))|wp.tile_store({esum}, wp.tile_sum($pw, axis=1), offset=$u * {tr})|wp.tile_store({pow}, $pw, offset=($u * {tr}, 0))
        ⟨# Parseval: the sum is the energy of the samples
        |⟩wp.tile_store({esum}, wp.tile_sum($pw, axis=1), offset=$u * {tr})⟩
        """,
        threads="u",
        kinds="tile_fft",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "filter",
        "spectral_filter apply_response fft_filter band_filter",
        "⟨1:filter the spectrum of each signal|filter each signal and transform it back⟩ by a response",
        """
        $sig = wp.tile_load({f}, shape=({tr}, {fft}), offset=($u * {tr}, 0))
        $resp = wp.tile_broadcast(wp.tile_load({resp}, shape={fft}), shape=({tr}, {fft}))
        ⟨# to the frequency domain
        |⟩wp.tile_⟨fft|fft|ifft⟩($sig)
        ⟨1:$out = wp.tile_map(@gain, $sig, $resp)|$out = wp.tile_zeros(shape=({tr}, {fft}), dtype=wp.vec2)
        $out += wp.tile_map(@gain, $sig, $resp)
        ⟨# back to samples
        |⟩wp.tile_ifft($out)⟨
        $out = $out * ⟨0.015625|0.0078125⟩|⟩⟩
        wp.tile_store({f_out}, $out, offset=($u * {tr}, 0))
        """,
        threads="u",
        kinds="tile_fft",
        docs="The response contains a factor for each frequency",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "convolve",
        "multiply_spectra combine_spectra spectral_product fft_product",
        "⟨1:multiply the spectra of two signals|convolve two signals⟩",
        """
        $sig = wp.tile_load({f}, shape=({tr}, {fft}), offset=($u * {tr}, 0))
        $ker = wp.tile_load({g}, shape=({tr}, {fft}), offset=($u * {tr}, 0))
        wp.tile_fft($sig)
        ⟨wp.tile_fft($ker)
        |⟩⟨1:$prod = wp.tile_map(⟨@complex_mul|@conj_mul⟩, $sig, $ker)⟨| * 0.0625⟩|# convolution: the product of both spectra
        $prod = wp.tile_zeros(shape=({tr}, {fft}), dtype=wp.vec2)
        $prod += wp.tile_map(⟨@complex_mul|@conj_mul⟩, $sig, $ker)
        wp.tile_ifft($prod)⟨
        $prod = $prod * 0.015625|⟩⟩
        wp.tile_⟨store|atomic_add⟩({f_out}, $prod, offset=($u * {tr}, 0))
        """,
        threads="u",
        kinds="tile_fft",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "derive",
        "spectral_operator apply_symbol fft_operator multiply_by_symbol",
        "apply an operator to each signal, in the frequency domain",
        """
        $sig = wp.tile_load({f}, shape=({tr}, {fft}), offset=($u * {tr}, 0))
        wp.tile_fft($sig)
        # one wave number for each coefficient
        $wave = wp.tile_load({wave}, ⟨shape={fft}|shape=({fft},), offset=(0,)⟩)
        $res = wp.tile_map(@derive, $sig, wp.tile_broadcast($wave, shape=({tr}, {fft})))
        ⟨1:wp.tile_store({f_out}, $res, offset=($u * {tr}, 0))|$back = wp.tile_zeros(shape=({tr}, {fft}), dtype=wp.vec2)
        $back += $res
        wp.tile_ifft($back)
        wp.tile_store({f_out}, $back, offset=($u * {tr}, 0))|wp.tile_store({pow}, wp.tile_map(@power, $res), offset=($u * {tr}, 0))⟩
        """,
        threads="u",
        kinds="tile_fft",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "conjugate",
        "change_spectra transform_and_mix edit_spectrum spectrum_step",
        "⟨1:conjugate the spectrum of each signal|mix the spectra of two signals⟩",
        """
        $sig = wp.tile_load({f}, shape=({tr}, {fft}), offset=($u * {tr}, 0))
        wp.tile_⟨fft|ifft⟩($sig)
        ⟨1:$r = wp.tile_map(@conjugate, $sig)|$other = wp.tile_load({g}, shape=({tr}, {fft}), offset=($u * {tr}, 0))
        ⟨wp.tile_fft($other)
        |⟩$r = $sig ⟨+|-⟩ $other * ⟨0.5|0.25⟩⟩
        wp.tile_store({f_out}, $r, offset=($u * {tr}, 0))
        """,
        threads="u",
        kinds="tile_fft",
        blocks=BLOCKS,
        tiled=True,
    ),
)
