"""Line breaks of stand-alone CUDA, compared with those of clang-format 18 (Google style, 100 columns, 4 spaces)."""

from __future__ import annotations

import pytest

from warpsmith.scoring.cuda_writer.layout.line_breaks import WIDTH, broken, head_lines

STATEMENTS = [
    """
    float torque_d = drive_effort(drive_mode[dof_id], pos_target[dof_id], dof_q, dof_qd,
                                  dof_stiffness[dof_id], dof_damping[dof_id], dof_id);
    """,
    """
    const float strain_mixed11 =
        (metric_rest_uu * strain_form_vv - metric_rest_uv * strain_form_uv) / det_rest_of_form;
    """,
    """
    for (int particle_id = blockIdx.x * blockDim.x + threadIdx.x; particle_id < num_particles;
         particle_id += blockDim.x * gridDim.x) {
    """,
    """
    } else if (opposite_vertex0 < 0 || opposite_vertex1 < 0 || opposite_vertex2 < 0 ||
               (opposite_vertex3 < 0 && opposite_vertex4 > 1)) {
    """,
    """
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y,
                    (num_channels + block.z - 1) / block.z);
    """,
    """
    advance<<<grid, block, 0, stream>>>(tri_corners, across_corners, pos_vertex, edges_at_rest,
                                        curvature_at_rest, thickness, lame_of_shell, n);
    """,
]


@pytest.mark.parametrize("lines", STATEMENTS, ids=range(len(STATEMENTS)))
def test_lines_break_where_clang_format_breaks_them(lines: str) -> None:
    expected = lines.strip("\n").rstrip(" ").rstrip("\n").split("\n")
    text = " ".join(line.strip() for line in expected).replace("( ", "(")
    assert broken(text, 4, aligned=True) == expected


def test_the_other_style_breaks_behind_the_bracket() -> None:
    names = ", ".join(f"argument_{number}" for number in range(10))
    assert broken(f"launched<<<grid, block>>>({names});", 4, aligned=False)[0] == "    launched<<<grid, block>>>("


@pytest.mark.parametrize("aligned", [True, False])
def test_lines_are_short_and_have_all_of_the_text(aligned: bool) -> None:
    inner = "f(a[i * cols + j], (x + y) * 2.0f, c > 0.0f ? first_value : second_value)"
    text = f"total[row * cols + col] += {' + '.join([inner] * 5)};"
    lines = broken(text, 8, aligned=aligned)
    assert max(map(len, lines)) <= WIDTH
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_heads_fill_lines_or_give_each_parameter_one() -> None:
    parameters = [f"const float* __restrict__ values_{number}" for number in range(6)]
    filled = head_lines("__global__ void scale", parameters, aligned=True, attached=True, indent=4)
    assert filled[1].startswith(" " * len("__global__ void scale("))
    assert filled[-1].endswith(") {")
    each = head_lines("__global__ void scale", parameters, aligned=False, attached=False, indent=2)
    assert each == [
        "__global__ void scale(",
        *(f"  {text}{',' if text != parameters[-1] else ')'}" for text in parameters),
        "{",
    ]
