"""Short ideas of the domain `learning`: rows, tokens, masks, counts."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_TOKENS = (
    Idea(
        "take_rows",
        "take_rows index_select gather_features shuffle_rows",
        "gather ⟨1:selected|shuffled⟩ rows⟨2:|, times their weights|, with the gain of each feature⟩",
        """
        ⟨1:$j = {pick}[$i]
        if $j < 0:
            ⟨{gathered}[$i, $c] = 0.0
            |⟩return|$j = {perm}[$i]⟩
        {gathered}[$i, $c] = {feat}[$j, $c]⟨2:| * {sample_weight}[$j]| * {gain}[$c]⟩
        ⟨if $c == 0:
            {drawn}[$i] = $j|⟩
        """,
        threads="i c",
        kinds="gather_scatter multi_dim",
    ),
    Idea(
        "clean_ids",
        "clean_tokens sanitize_ids replace_unknown mask_tokens",
        "replace the ids that are not usable in place",
        """
        $id = {raw}[$i]
        if $id < 0:
            {raw}[$i] = {PAD}
            ⟨wp.atomic_add({skipped}, 0, 1)|{place}[$i] = 0|⟩
        elif $id >= ⟨{vocab}|{vocab_limit}⟩:
            {raw}[$i] = {UNK}
        ⟨elif {place}[$i] % {mask_every} == 0:
            # masked: the model has to guess it
            {raw}[$i] = ⟨0|{UNK}⟩
            {next_id}[$i] = $id|elif {seg}[$i] ⟨== 1|== {eval_part}⟩:
            # this segment is hidden
            {raw}[$i] = ⟨0|{UNK}⟩|⟩
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
            {word_id}[$i] = ⟨@bucket_id($id, {vocab_limit})|{UNK}|@shift_id(@bucket_id($id, {num_buckets}), {vocab_limit})⟩
            ⟨|wp.atomic_add({unknown}, 0, 1)|wp.atomic_add({ngrams}, @bucket_id($id, {num_buckets}), 1)⟩
        ⟨|{clean}[$i] = $id⟩
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
        if {pred_class}[$i] ⟨1:==|!=⟩ {labels}[$i]⟨2:| and {seg}[$i] == {eval_part}⟩:
            wp.atomic_add(⟨1:{hits}|{misses}⟩, {labels}[$i], ⟨3:1|{row_weight}[$i]⟩)
            ⟨1:|{wrong}[$i] = 1⟩
        ⟨2:⟨1:⟨else:
            wp.atomic_add({false_pos}, {pred_class}[$i], ⟨3:1|{row_weight}[$i]⟩)|else:
            {wrong}[$i] = 1|⟩|⟨else:
            wp.atomic_add({hits}, {labels}[$i], ⟨3:1|{row_weight}[$i]⟩)|⟩⟩|⟩
        """,
        kinds="atomic control_flow atomics histograms",
        integer=True,
    ),
    Idea(
        "count_duplicates",
        "count_duplicates repeated_keys equal_pairs check_repeats",
        "count the ⟨1:pairs of equal keys|keys that occurred before⟩ in each row",
        """
        $equal = int(0)
        for $t in range(⟨{used_keys}|{lengths}[$i]⟩):
            ⟨if {key_ids}[$i, $t] ⟨< 0|== {PAD}⟩:
                continue
            |⟩for $prev in range($t):
                if {key_ids}[$i, $prev] == {key_ids}[$i, $t]:
                    $equal += 1⟨1:|
                    break⟩
        {dup_out}[$i] = $equal⟨|
        wp.atomic_add({repeats}, {seq_of}[$i], $equal)⟩
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
        |if {place}[$i] >= {lengths}[$i]:
            # the sequence has ended
            {next_id}[$i] = {ignore}
            return
        |⟩{place}[$i] = ⟨({place}[$i] + 1) % {keys}|wp.min({place}[$i] + {every}, {keys} - 1)|wp.min({place}[$i] + 1, {keys} - 1)⟩
        ⟨wp.atomic_add({target_count}, {seq_of}[$i], 1)|{next_id}[$i] = {raw}[$i]|⟩
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
            {mask_bits}[$i, $j] = 1
            ⟨wp.atomic_add({num_visible}, $i, 1)|wp.atomic_max({last_key}, $i, $j)|⟩
        """,
        threads="i j",
        kinds="control_flow multi_dim",
        integer=True,
    ),
    Idea(
        "pool_rows",
        "sum_tokens pool_sum weighted_bag bag_of_words",
        "⟨1:add up|average⟩ the embeddings of the tokens of each sequence",
        """
        $sum = float(0.0)
        for $t in range({offsets}[$s], {offsets}[$s + 1]):
            $id = {flat_ids}[$t]
            if $id ⟨>= 0|!= {PAD}⟩⟨| and $id != {UNK}⟩:
                $sum += {emb}[$id, $d]⟨| * {flat_weight}[$t]⟩
        {pooled}[$s, $d] = $sum⟨1:| / float(wp.max({row_tokens}[$s], 1))⟩
        """,
        threads="s d",
        kinds="control_flow gather_scatter reduction",
    ),
    Idea(
        "clamp_codes",
        "clamp_codes saturate_int8 relu_quantized requantize_inplace",
        "rescale the quantized values of each row in place and ⟨2:clamp|rectify|rectify⟩ them",
        """
        # the result has a smaller step
        $code = ⟨2 * ({q_in}[$i, $c] - {zp_in})|3 * ({q_in}[$i, $c] - {zp_in})|2 * {q_in}[$i, $c]⟩
        if $code > {QMAX}:
            $code = {QMAX}
            ⟨wp.atomic_add({overflow}, 0, 1)|⟩
        elif $code < ⟨2:{QMIN}|0|0⟩:
            $code = ⟨2:{QMIN}|int(0)|-(-$code >> {leak_shift})⟩
        {q_in}[$i, $c] = $code
        """,
        threads="i c",
        kinds="control_flow multi_conditional scalar_param multi_dim",
        integer=True,
    ),
)
