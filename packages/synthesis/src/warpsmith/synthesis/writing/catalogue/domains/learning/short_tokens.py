"""Short ideas of the domain `learning`: rows, tokens, masks, counts."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_TOKENS = (
    Idea(
        "take_rows",
        "take_rows index_select gather_features shuffle_rows",
        "gather ⟨1:selected|shuffled⟩ rows",
        """
        ⟨1:$j = {pick}[$i]
        if $j < 0:
            ⟨{gathered}[$i, $c] = {gain}[$c]
            |⟩return|$j = {perm}[$i]⟩
        {gathered}[$i, $c] = {feat}[$j, $c]⟨| * {sample_weight}[$j]| + {residual}[$i, $c]| * {gain}[$c]⟩
        ⟨if $c == 0:
            {drawn}[$i] = $j|{batch_obs}[$i, $c] = {query}[$j, $c]|⟩
        """,
        threads="i c",
        kinds="gather_scatter multi_dim",
    ),
    Idea(
        "clean_ids",
        "clean_tokens sanitize_ids replace_unknown mask_tokens",
        "replace the ids that are not usable in place",
        """
        ⟨$id = {raw}[$i]|$id = {raw}[$i] - {num_special}⟩
        if $id < 0:
            {raw}[$i] = {PAD}
            ⟨wp.atomic_add({skipped}, 0, 1)|{place}[$i] = 0|⟩
        elif $id >= ⟨{vocab}|{vocab_limit}⟩:
            {raw}[$i] = {UNK}
        ⟨elif {place}[$i] % {mask_every} == 0:
            {raw}[$i] = ⟨0|{num_special}⟩
            {next_id}[$i] = $id|elif {seg}[$i] == 1:
            {raw}[$i] = $id + {num_special}|⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "id_chain",
        "map_ids hash_ids bucket_tokens remap_tokens",
        "map each id to its bucket",
        """
        $id = @shift_id({raw}[$i], {num_special})
        if @valid_id($id, {vocab_limit}):
            {word_id}[$i] = ⟨$id|@bucket_id($id, {vocab_limit})⟩
        else:
            {word_id}[$i] = ⟨@bucket_id($id, {vocab_limit})|{UNK}|@shift_id({seg}[$i], {vocab_limit})⟩
            ⟨|wp.atomic_add({unknown}, 0, 1)|wp.atomic_add({ngrams}, @bucket_id($id, {num_buckets}), 1)⟩
        ⟨|{clean}[$i] = @bucket_id({place}[$i], {mask_every})⟩
        """,
        kinds="control_flow helper_functions",
        integer=True,
    ),
    Idea(
        "count_hits",
        "count_correct accuracy_counts tally_predictions class_hits",
        "count the ⟨1:correct|wrong⟩ predictions of each class",
        """
        ⟨if {labels}[$i] < 0:
            wp.atomic_add({skipped}, 0, 1)
            return|if {labels}[$i] == {ignore}:
            return⟩
        if {pred_class}[$i] ⟨1:==|!=⟩ {labels}[$i]⟨| and {seg}[$i] != {eval_part}⟩:
            wp.atomic_add({hits}, {labels}[$i], ⟨1|{row_weight}[$i]⟩)
        ⟨else:
            wp.atomic_add({false_pos}, {pred_class}[$i], 1)|else:
            {wrong}[$i] = {pred_class}[$i] + 1|⟩
        """,
        kinds="atomic control_flow atomics histograms",
        integer=True,
    ),
    Idea(
        "count_duplicates",
        "count_duplicates repeated_keys equal_pairs check_repeats",
        "count the pairs of ⟨1:equal|ascending|equal⟩ keys of each row",
        """
        $count = int(0)
        for $t in range(⟨{used_keys}|{lengths}[$i]⟩):
            ⟨if {key_ids}[$i, $t] < 0:
                continue
            |⟩for $prev in range($t):
                if {key_ids}[$i, $prev] ⟨1:==|<|==⟩ {key_ids}[$i, $t]:
                    $count += ⟨1|$t - $prev⟩
        {dup_out}[$i] = $count⟨| + {place}[$i]| % 7|
        wp.atomic_add({repeats}, {seq_of}[$i], $count)⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "next_place",
        "advance_positions shift_positions next_token step_positions",
        "advance the position of each row in its sequence",
        """
        ⟨if {ids}[$i] == {PAD}:
            return
        |if not {mask}[$i]:
            {place}[$i] = 0
            return
        |⟩{place}[$i] = ⟨({place}[$i] + 1) % {keys}|wp.min({place}[$i] + {every}, {keys} - 1)|({place}[$i] + {seg}[$i]) % {keys}⟩
        ⟨{next_id}[$i] = {raw}[$i] * {every} + {seg}[$i]|{seg}[$i] = ({seg}[$i] + 1) % 3|{next_id}[$i] = {lengths}[$i] - {place}[$i]|if {place}[$i] > {lengths}[$i]:
            {next_id}[$i] = {raw}[$i] + {num_special}⟩
        """,
        kinds="arithmetic control_flow",
        integer=True,
    ),
    Idea(
        "window_mask",
        "window_mask causal_bits block_mask fill_mask",
        "set the mask of each pair of ⟨1:a window|a causal model|two documents⟩",
        """
        $off = {place}[$i] - $j
        ⟨if {key_ids}[$i, $j] == {PAD}:
            {mask_bits}[$i, $j] = 0
            return
        |if $j >= {lengths}[$i]:
            return
        |⟩if ⟨1:$off >= 0 and $off < {window}|$off >= 0|{segment_q}[$i] == {segment_k}[$j]⟩⟨| or $j < {sink}⟩:
            {mask_bits}[$i, $j] = ⟨1|{every}|{segment_k}[$j] + 1⟩
            ⟨wp.atomic_add({num_visible}, $i, 1)|wp.atomic_max({last_key}, $i, $j)|⟩
        """,
        threads="i j",
        kinds="control_flow multi_dim",
        integer=True,
    ),
    Idea(
        "pool_rows",
        "sum_tokens pool_sum weighted_bag bag_of_words",
        "add up the embeddings of the tokens of each sequence",
        """
        $sum = float(0.0)
        for $t in range({offsets}[$s], {offsets}[$s + 1]):
            $id = {flat_ids}[$t]
            if $id ⟨>= 0|!= {PAD}⟩⟨| and $id != {UNK}⟩:
                $sum += {emb}[$id, $d]⟨| * {flat_weight}[$t]| * {scale}⟩
        {pooled}[$s, $d] = $sum⟨| * 0.5| + {unit_bias}[$d]⟩
        """,
        threads="s d",
        kinds="control_flow gather_scatter reduction",
    ),
    Idea(
        "clamp_codes",
        "clamp_codes saturate_int8 relu_quantized requantize_inplace",
        "clamp the quantized values of each row in place",
        """
        $code = {q_in}[$i, $c] ⟨+ {zp_in}|- {zp_in}|* {every}⟩
        if $code > ⟨{QMAX}|{QMAX} - {every}⟩:
            $code = {QMAX}
            ⟨wp.atomic_add({skipped}, 0, 1)|wp.atomic_add({outliers}, 0, $code - {QMAX})|⟩
        elif $code < ⟨{zp_in}|{QMIN}|-100⟩:
            $code = ⟨int({zp_in})|{QMIN}|-(-$code >> {leak_shift})⟩
        {q_in}[$i, $c] = $code
        """,
        threads="i c",
        kinds="control_flow multi_conditional scalar_param multi_dim",
        integer=True,
    ),
)
