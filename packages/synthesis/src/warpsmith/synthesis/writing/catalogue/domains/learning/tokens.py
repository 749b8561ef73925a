"""Ideas of the domain `learning`: tokenizers and ragged batches, without floats."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TOKENS = (
    Idea(
        "lookup_word",
        "lookup_token_ids hash_to_id find_word_ids vocab_lookup encode_words",
        "find the id of each word hash in the sorted vocabulary",
        """
        $hash = {hashes}[$i]
        ⟨if $hash ⟨< 0|== -1⟩:
            {word_id}[$i] = {PAD}
            return
        |⟩$lo = int(0)
        $hi = int({vocab})
        while $lo < $hi:
            ⟨$mid = ($lo + $hi) // 2|$mid = $lo + ($hi - $lo) // 2|$mid = ($lo + $hi) >> 1⟩
            ⟨1:if {vocab_hash}[$mid] < $hash:
                $lo = $mid + 1
            else:
                $hi = $mid|$probe = {vocab_hash}[$mid]
            if $probe == $hash:
                $lo = $mid
                break
            elif $probe < $hash:
                $lo = $mid + 1
            else:
                $hi = $mid⟩
        ⟨if $lo < {vocab} and {vocab_hash}[wp.min($lo, {vocab} - 1)] == $hash:
            {word_id}[$i] = $lo
            ⟨wp.atomic_add({df}, $lo, 1)|⟩
        else:
            {word_id}[$i] = {UNK}
            ⟨wp.atomic_add({unknown}, 0, 1)|⟩|$found = wp.min($lo, {vocab} - 1)
        if {vocab_hash}[$found] == $hash:
            {word_id}[$i] = $found
        else:
            # not in the vocabulary: one of the spare buckets
            {word_id}[$i] = {vocab} + $hash % {num_buckets}
            ⟨wp.atomic_add({unknown}, 0, 1)|⟩⟩
        """,
        kinds="control_flow",
        integer=True,
        docs="binary search of each hash in the sorted hashes of the vocabulary; words without an entry become unknown",
    ),
    Idea(
        "pack_rows",
        "pad_sequences unpack_ragged fill_padded ragged_to_padded batch_sequences",
        "copy the tokens of each sequence to a padded table",
        """
        $begin = {offsets}[$s]
        $count = ⟨1:⟨{offsets}[$s + 1] - $begin|wp.min({offsets}[$s + 1] - $begin, {keys})⟩|{offsets}[$s + 1] - $begin⟩
        ⟨1:|$skip = wp.max($count - {keys}, 0)⟩
        ⟨1:|# long sequences lose their beginning⟩
        ⟨1:if $t < $count:
            $id = {flat_ids}[$begin + $t]|if $t < $count - $skip:
            $id = {flat_ids}[$begin + $skip + $t]⟩
            ⟨⟨|if $id == {PAD}:
                $id = {UNK}⟩
            {padded}[$s, $t] = $id|{padded}[$s, $t] = ⟨$id|wp.max($id, 0)⟩
            ⟨{valid}[$s, $t] = True|wp.atomic_add({row_len}, $s, 1)⟩|if $id < 0:
                {padded}[$s, $t] = {UNK}
                ⟨wp.atomic_add({unknown}, 0, 1)|⟩
            else:
                {padded}[$s, $t] = $id + {num_special}⟩
        else:
            {padded}[$s, $t] = {PAD}
        """,
        threads="s t",
        kinds="control_flow gather_scatter",
        integer=True,
    ),
    Idea(
        "merge_pairs",
        "⟨1:merge_token_pairs apply_bpe_merge bpe_merge merge_step join_pairs|merge_token_pairs apply_bpe_merge bpe_merge merge_step join_pairs|"
        "collapse_runs merge_repeats squeeze_tokens⟩",
        "⟨1:join each pair of neighbouring tokens that the merge rule names|join each pair of neighbouring tokens that a merge rule names|"
        "collapse each run of the same token⟩",
        """
        $k = int({offsets}[$s])
        $end = {offsets}[$s + 1]
        $slot = int({offsets}[$s])
        while $k < $end:
            $id = {flat_ids}[$k]
            ⟨1:$step = int(1)
            if $k + 1 < $end and $id == {left}:
                if {flat_ids}[$k + 1] == {right_id}:
                    $id = {vocab}
                    $step = 2|$step = int(1)
            if $k + 1 < $end:
                # look for a rule for this pair
                for $r in range({num_merges}):
                    if {merge_left}[$r] == {flat_ids}[$k] and {merge_right}[$r] == {flat_ids}[$k + 1]:
                        $id = {vocab} + $r
                        $step = 2|$step = int(1)
            # collapse runs of the same token
            while $k + $step < $end and {flat_ids}[wp.min($k + $step, $end - 1)] == $id:
                $step += 1⟩
            {merged}[$slot] = $id
            $slot += 1
            $k += $step
        {merged_len}[$s] = $slot - {offsets}[$s]
        ⟨|# mark the rest as padding
        while $slot < $end:
            {merged}[$slot] = {PAD}
            $slot += 1|wp.atomic_add({num_merged}, 0, $end - $slot)⟩
        """,
        threads="s",
        kinds="nested_loop control_flow while_loop",
        integer=True,
        forward_only=True,
    ),
    Idea(
        "count_ngrams",
        "count_bigrams count_ngrams hash_ngrams bigram_counts ngram_histogram",
        "count hashed pairs of neighbouring tokens of each sequence",
        """
        $begin = {offsets}[$s]
        $end = {offsets}[$s + 1]
        $prev = int(⟨{PAD}|-1⟩)
        for $k in range($begin, $end):
            $id = {flat_ids}[$k]
            if $id < 0:
                ⟨continue|$prev = -1
                continue⟩
            if $prev >= 0:
                ⟨$h = ($prev * 31 + $id) % {num_buckets}|$h = ($prev * {vocab} + $id) % {num_buckets}|$h = ($prev ^ ($id << 2)) % {num_buckets}⟩
                ⟨wp.atomic_add({ngrams}, $h, 1)|wp.atomic_add({ngrams}, $h, 1)
                if $prev == $id:
                    wp.atomic_add({repeats}, $s, 1)|if $prev != $id:
                    wp.atomic_add({ngrams}, $h, 1)
                else:
                    wp.atomic_add({repeats}, $s, 1)⟩
            $prev = $id
        ⟨|{seq_tail}[$s] = $prev⟩
        """,
        threads="s",
        kinds="control_flow atomic histograms atomics",
        integer=True,
    ),
    Idea(
        "shift_targets",
        "shift_targets next_token_labels make_lm_labels build_targets shift_labels",
        "set the target of each token to ⟨1:the next token|the next token or, for some, to the token itself⟩ of its sequence",
        """
        $s = {seq_of}[$i]
        ⟨$next = $i + 1
        if $next >= {n}:
            {next_id}[$i] = {ignore}
            return
        if {seq_of}[$next] != $s:
            # the last token of a sequence has no target
            {next_id}[$i] = {ignore}
            return|$next = wp.min($i + 1, {n} - 1)
        if $next == $i or {seq_of}[$next] != $s:
            {next_id}[$i] = {ignore}
            ⟨wp.atomic_add({num_ends}, 0, 1)
            |⟩return⟩
        $id = {ids}[$next]
        ⟨1:|⟨if {place}[$i] < {prompt_len}[$s]:
            # the prompt is not trained
            $id = {ignore}|if {place}[$i] % {mask_every} == 0:
            $id = {ids}[$i]⟩⟩
        {next_id}[$i] = $id
        ⟨|if $id >= 0:
            wp.atomic_add({target_count}, $s, 1)⟩
        """,
        kinds="control_flow stencil early_exit",
        integer=True,
    ),
    Idea(
        "zero_padding",
        "replace_padding clean_padding clear_padding fill_ids set_padding",
        "set the ids of padding to ⟨1:zero|the unknown word|their position⟩",
        """
        ⟨1:if {ids}[$i] == {PAD}:
            {clean}[$i] = 0
        else:
            {clean}[$i] = {ids}[$i]|{clean}[$i] = {ids}[$i] if {ids}[$i] >= 0 else {UNK}|{clean}[$i] = wp.where({ids}[$i] < 0, {place}[$i], {ids}[$i])⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
)
