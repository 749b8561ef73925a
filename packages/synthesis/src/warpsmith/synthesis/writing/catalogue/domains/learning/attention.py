"""Ideas of the domain `learning`: embeddings of tokens, scores of attention, masks, rotations by position."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

ATTENTION = (
    Idea(
        "embed",
        "embed_tokens embedding_forward lookup_embeddings gather_embeddings token_embedding",
        "look up the embedding of each token⟨1:| and add that of its position|⟩",
        """
        $id = {raw}[$i]
        if $id == {PAD}:
            ⟨# padding stays zero
            |{embedded}[$i, $d] = 0.0
            ⟩return
        ⟨|⟨|hook row_begin⟩
        if $id >= {vocab}:
            # unknown words share one row
            $id = {UNK}
            ⟨|if $d == 0:
                wp.atomic_add({unknown}, 0, 1)⟩⟩
        ⟨2:|hook row_begin|⟩
        ⟨$id = wp.min($id, {vocab} - 1)
        $e = {emb}[$id, $d]|$e = {emb}[wp.min($id, {vocab} - 1), $d]|$e = {emb}[$id % {vocab}, $d]⟩
        ⟨|$e = $e * wp.sqrt(float({dim}))|$e = $e + {seg_emb}[{seg}[$i], $d]⟩
        ⟨1:|⟨$e = $e + {pos_emb}[{place}[$i], $d]|# the sequence goes on after the rows in the cache
        $e = $e + {pos_emb}[wp.min({place}[$i] + {shift_pos}, {keys} - 1), $d]|# positions count from the first row
        $e = $e + {pos_emb}[wp.max({place}[$i] - {shift_pos}, 0), $d]⟩|⟩
        {embedded}[$i, $d] = $e
        """,
        threads="i d",
        kinds="control_flow gather_scatter early_exit",
    ),
    Idea(
        "embed_grad",
        "embedding_backward scatter_embedding_grad accumulate_embedding_grad embed_grad",
        "add the gradient of each token to the row of its word",
        """
        $id = {ids}[$i]
        if $id ⟨== {PAD}|< 0⟩:
            return
        hook row_begin
        ⟨$e = {d_embedded}[$i, $d]|$e = {d_embedded}[$i, $d] * {scale}|$e = {d_embedded}[$i, $d] / float({uses}[$id])|$e = wp.clamp({d_embedded}[$i, $d], -{max_grad}, {max_grad})⟩
        ⟨wp.atomic_add({d_emb}, $id, $d, $e)|if $id != {UNK}:
            wp.atomic_add({d_emb}, $id, $d, $e)|wp.atomic_add({d_emb}, $id, $d, $e)
        ⟨if $d == 0:
            # once for each token
            wp.atomic_add({used}, $id, 1)|wp.atomic_add({d_bias}, $d, $e)⟩⟩
        ⟨|wp.atomic_add({d_pos}, {place}[$i], $d, $e)⟩
        """,
        threads="i d",
        kinds="atomic control_flow gather_scatter atomics",
    ),
    Idea(
        "scores",
        "attention_scores compute_attn_scores qk_scores dot_product_attention masked_scores",
        "compute the attention score of each query and key⟨1:| with a penalty for the distance| with relative positions|⟩",
        """
        ⟨2:# ragged batches: keys beyond the end of the sequence
        if $j >= {lengths}[$i]:
            {scores}[$i, $j] = {NEG}
            return|if {key_ids}[$i, $j] == {PAD}:
            # padding
            {scores}[$i, $j] = {NEG}
            return|if $j > {place}[$i]:
            # causal: later keys are invisible
            {scores}[$i, $j] = {NEG}
            return|⟨|if {key_ids}[$i, $j] < 0 or $j > {place}[$i]:
            {scores}[$i, $j] = {NEG}
            return⟩⟩
        $dot = float(0.0)
        for $f in range({F}):
            $dot += {query}[$i, $f] * {key}[$j, $f]
        $s = $dot ⟨* {inv_sqrt}|/ {temp}⟩
        ⟨1:⟨|$s = $s + {bias}[$i, $j]⟩|$s = $s - {slope} * wp.abs(float({place}[$i] - $j))|$off = wp.clamp({place}[$i] - $j + {half}, 0, 2 * {half} - 1)
        $s = $s + {rel_bias}[$off]|⟨# soft cap
        $s = {cap_score} * wp.tanh($s / {cap_score})|if $s > {cap_score}:
            $s = {cap_score}⟩⟩
        {scores}[$i, $j] = $s
        """,
        threads="i j",
        kinds="control_flow early_exit",
        docs="scaled dot products of queries and keys; masked pairs get a large negative score",
    ),
    Idea(
        "mask",
        "build_attention_mask make_mask attention_mask causal_mask fill_attn_mask",
        "decide for each query and key whether the query may attend to the key",
        """
        $id = {key_ids}[$i, $j]
        ⟨$pos = {place}[$i]
        if $id == {PAD}:
            {visible}[$i, $j] = False
            return
        ⟨if {window} > 0 and $pos - $j >= {window}:
            # outside of the sliding window; the first tokens stay visible
            {visible}[$i, $j] = $j < {sink}
            return|if $j < {sink}:
            {visible}[$i, $j] = True
            wp.atomic_add({num_visible}, $i, 1)
            return⟩
        {visible}[$i, $j] = $j <= $pos|$ok = $id >= 0 and $j <= {place}[$i]
        ⟨|if {segment_q}[$i] != {segment_k}[$j]:
            $ok = False⟩
        {visible}[$i, $j] = $ok
        if $ok:
            wp.atomic_add({num_visible}, $i, 1)
            ⟨wp.atomic_max({last_key}, $i, $j)|⟩|$ok = int(0)
        if $id != {PAD}:
            if $j <= {place}[$i]:
                $ok = 1
            ⟨elif {segment_q}[$i] == 0:
                # the first document is read in both directions
                $ok = 1|⟩
            ⟨if {segment_q}[$i] != {segment_k}[$j] and $ok == 1:
                $ok = 0|⟩
        {mask_bits}[$i, $j] = $ok⟩
        """,
        threads="i j",
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "softmax",
        "softmax_rows row_softmax softmax_forward attention_weights normalize_scores",
        "turn the scores of each row into probabilities",
        """
        ⟨|hook row_begin⟩
        $peak = {logits}[$i, 0]
        for $c in range(1, {C}):
            ⟨$peak = wp.max($peak, {logits}[$i, $c])|if {logits}[$i, $c] > $peak:
                $peak = {logits}[$i, $c]⟩
        $total = float(0.0)
        for $c in range({C}):
            ⟨1:$total += wp.exp({logits}[$i, $c] - $peak)|$total += wp.exp(({logits}[$i, $c] - $peak) / {temp})|if {allowed}[$i, $c]:
                $total += wp.exp({logits}[$i, $c] - $peak)⟩
        ⟨1:|⟨2:$inv = 1.0 / $total|⟩|if $total == 0.0:
            # no class is allowed
            return⟩
        for $c in range({C}):
            ⟨1:{probs}[$i, $c] = wp.exp({logits}[$i, $c] - $peak) / $total|⟨2:{probs}[$i, $c] = wp.exp(({logits}[$i, $c] - $peak) / {temp}) * $inv|$e = wp.exp(({logits}[$i, $c] - $peak) / {temp})
            {probs}[$i, $c] = $e / $total⟩|if not {allowed}[$i, $c]:
                continue
            {probs}[$i, $c] = wp.exp({logits}[$i, $c] - $peak) / $total⟩
        ⟨|{lse}[$i] = $peak + wp.log($total)⟩
        """,
        kinds="math",
    ),
    Idea(
        "rope",
        "apply_rope rotary_embedding rotate_pairs rope_forward apply_rotary",
        "rotate each pair of channels by an angle that depends on the position",
        """
        $pos = {place}[$i]
        ⟨1:if $h >= {rot_pairs}:
            # the last channels are not rotated
            {rotated}[$i, 2 * $h] = {feat}[$i, 2 * $h]
            {rotated}[$i, 2 * $h + 1] = {feat}[$i, 2 * $h + 1]
            return||if $h >= {rot_pairs}:
            return|⟩
        ⟨$freq = wp.pow({theta}, -2.0 * float($h) / float({F}))|$freq = wp.exp(-float($h) * wp.log({theta}) / 4.0)|$freq = {freqs}[$h]⟩
        $angle = ⟨float($pos)|float($pos + {shift_pos})⟩ * $freq
        $cs = wp.cos($angle)
        $sn = wp.sin($angle)
        ⟨1:$a = {feat}[$i, 2 * $h]
        $b = {feat}[$i, 2 * $h + 1]
        {rotated}[$i, 2 * $h] = $a * $cs - $b * $sn
        {rotated}[$i, 2 * $h + 1] = $a * $sn + $b * $cs|# halves instead of neighbours
        $a = {feat}[$i, $h]
        $b = {feat}[$i, $h + 4]
        {rotated}[$i, $h] = $a * $cs - $b * $sn
        {rotated}[$i, $h + 4] = $a * $sn + $b * $cs|$z = wp.vec2({feat}[$i, 2 * $h], {feat}[$i, 2 * $h + 1])
        {rotated}[$i, 2 * $h] = $cs * $z[0] - $sn * $z[1]
        {rotated}[$i, 2 * $h + 1] = $sn * $z[0] + $cs * $z[1]|$even = {feat}[$i, 2 * $h]
        $odd = {feat}[$i, 2 * $h + 1]
        # back to the frame of position zero
        {rotated}[$i, 2 * $h] = $even * $cs + $odd * $sn
        {rotated}[$i, 2 * $h + 1] = $odd * $cs - $even * $sn⟩
        """,
        threads="i h",
        kinds="math",
    ),
)
