"""Ideas of the domain `learning`: quantization, predictions of classes, counts."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

INTEGERS = (
    Idea(
        "quantize",
        "quantize_int8 quantize_per_channel fake_quantize quantize_activations to_int8",
        "quantize each value to ⟨1:a signed|an unsigned⟩ 8 bit integer",
        """
        $x = {pre}[$i, $d]
        $code = ⟨2:int(wp.round($x / {q_scale}[$d]))|int(wp.floor($x / {q_scale}[$d] + 0.5))|int(wp.rint($x * {inv_step}))⟩⟨3:| + {zero_point}[$d]⟩
        ⟨⟨1:$lo = {QMIN}
        $hi = {QMAX}|$lo = int(0)
        $hi = {UMAX}⟩
        if $code > $hi:
            $code = $hi
            wp.atomic_add({saturated}, $d, 1)
        elif $code < $lo:
            $code = $lo
            wp.atomic_add({saturated}, $d, 1)|$code = wp.clamp($code, ⟨1:{QMIN}, {QMAX}|0, {UMAX}⟩)⟩
        {quantized}[$i, $d] = $code
        ⟨|{dequantized}[$i, $d] = float($code⟨3:| - {zero_point}[$d]⟩) ⟨2:* {q_scale}[$d]|* {q_scale}[$d]|/ {inv_step}⟩⟩
        """,
        threads="i d",
        kinds="control_flow",
    ),
    Idea(
        "int_matmul",
        "int8_matmul quantized_linear qgemm int_linear requantize_linear",
        "multiply quantized rows by quantized weights and ⟨1:requantize|dequantize|keep the 32 bit⟩ the sums",
        """
        $acc = int(0)
        for $f in range(⟨{F}|0, {F}⟩):
            ⟨$acc += ({q_in}[$i, $f] - {zp_in}) * {q_weight}[$d, $f]|⟨|if {q_weight}[$d, $f] == 0:
                # sparse weights
                continue
            ⟩$acc += {q_in}[$i, $f] * {q_weight}[$d, $f]|$acc += ({q_in}[$i, $f] - {zp_in}) * ({q_weight}[$d, $f] - {zero_point}[$d])⟩
        ⟨$acc += {q_bias}[$d]|if $acc < 0:
            # leaky rectifier with an arithmetic shift
            $acc = -(-$acc >> {leak_shift})|$acc = $acc + {q_bias}[$d]
        $acc = wp.max($acc, 0)⟩
        ⟨1:# round half up
        $acc = ($acc * {multiplier}[$d] + (1 << ({shift_bits} - 1))) >> {shift_bits}
        {q_out}[$i, $d] = wp.clamp($acc, {QMIN}, {QMAX})|{linear_out}[$i, $d] = float($acc) * {q_scale}[$d]|{acc_out}[$i, $d] = $acc
        ⟨if $acc > {UMAX}:
            wp.atomic_add({saturated}, $d, 1)|if $acc > {UMAX} or $acc < -{UMAX}:
            wp.atomic_add({saturated}, $d, 1)|⟩⟩
        """,
        threads="i d",
        kinds="arithmetic",
    ),
    Idea(
        "argmax",
        "argmax_rows predict_classes top1_predictions greedy_decode select_best",
        "find the ⟨1:best class|best and second class|allowed class with the best score|best class⟩ of each row",
        """
        hook count_begin
        ⟨1:$winner = int(0)
        $top = {votes}[$i, 0]
        for $c in range(1, {C}):
            if {votes}[$i, $c] > $top:
                $top = {votes}[$i, $c]
                $winner = $c|$winner = int(-1)
        $second = int(-1)
        for $c in range({C}):
            $val = {votes}[$i, $c]
            if $winner < 0 or $val > {votes}[$i, $winner]:
                $second = $winner
                $winner = $c
            elif $second < 0 or $val > {votes}[$i, $second]:
                $second = $c
        {runner_up}[$i] = $second|$winner = int(-1)
        $top = int(0)
        for $c in range({C}):
            if not {allowed}[$i, $c]:
                continue
            if $winner == -1 or {votes}[$i, $c] > $top:
                $top = {votes}[$i, $c]
                $winner = $c|# ties go to the class with more rows
        $winner = int(0)
        for $c in range(1, {C}):
            $diff = {votes}[$i, $c] - {votes}[$i, $winner]
            if $diff > 0:
                $winner = $c
            elif $diff == 0:
                if {class_rows}[$c] > {class_rows}[$winner]:
                    $winner = $c⟩
        {top_class}[$i] = $winner
        ⟨if $winner == {labels}[$i]:
            wp.atomic_add({correct}, 0, 1)
        ⟨|elif {labels}[$i] >= 0:
            wp.atomic_add({errors}, {labels}[$i], 1)⟩|{right}[$i] = $winner == {labels}[$i]|⟩
        """,
        kinds="nested_loop control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "confusion",
        "confusion_matrix count_confusion update_confusion accumulate_metrics eval_counts",
        "count predicted and true classes",
        """
        $label = {labels}[$i]
        $guess = {pred_class}[$i]
        ⟨|hook count_begin⟩
        ⟨if $label < 0:
            wp.atomic_add({skipped}, 0, 1)
            return
        |if $label == {ignore}:
            return
        ⟩⟨wp.atomic_add({matrix}, $label, $guess, 1)|wp.atomic_add({flat_matrix}, $label * {C} + $guess, 1)|wp.atomic_add({matrix}, $label, $guess, {row_weight}[$i])⟩
        ⟨|if $guess == $label:
            wp.atomic_add({hits}, $label, 1)
        else:
            wp.atomic_add({false_pos}, $guess, 1)
            wp.atomic_add({misses}, $label, 1)|if $guess != $label:
            wp.atomic_add({misses}, $label, 1)
            ⟨{wrong}[$i] = 1|⟩⟩
        """,
        kinds="atomic control_flow histograms atomics",
        integer=True,
    ),
    Idea(
        "ranking",
        "rank_of_label label_rank topk_hits compute_rank recall_at_k",
        "count the classes that score above the label⟨1:|, and the hits among the first few|⟩",
        """
        $label = {labels}[$i]
        if $label ⟨== -1|< 0⟩:
            {rank}[$i] = -1
            return
        $place = int(0)
        for $c in range({C}):
            ⟨if $c == $label:
                continue
            ⟩if {votes}[$i, $c] > {votes}[$i, $label]:
                $place += 1
            ⟨|elif {votes}[$i, $c] == {votes}[$i, $label] and $c < $label:
                # ties: earlier classes first
                $place += 1⟩
        {rank}[$i] = $place
        ⟨1:|if $place < {topk}:
            wp.atomic_add({topk_hits}, 0, 1)
        ⟨|if $place == 0:
            wp.atomic_add({correct}, 0, 1)⟩|⟨wp.atomic_add({rank_hist}, $place, 1)|# one bin for all ranks beyond the first few
        wp.atomic_add({rank_hist}, wp.min($place, {topk}), 1)⟩⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
)
