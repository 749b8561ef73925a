"""Ideas of the domain `tiles`: blocks of threads that query a mesh or a tree of boxes together."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BLOCKS = (32, 64)

QUERIES = (
    Idea(
        "count_boxes",
        "count_overlaps query_boxes broad_phase_counts count_neighbors",
        "count the boxes that overlap the box around each ⟨1:point|query⟩",
        """
        each found:
            $n += wp.tile_map(@valid, $ids)

        $sum = wp.tile_sum($n)
        ⟨2:wp.tile_store({hits}, $sum, offset=$q)|wp.tile_atomic_add({ptot}, $sum, offset=0)|wp.tile_store({hits}, $sum + wp.tile_load({base}, shape=1, offset=$q), offset=$q)
        wp.tile_atomic_add({ptot}, $sum, offset=0)⟩
        """,
        threads="q",
        kinds="tile_query",
        integer=True,
        docs="All threads of a block share one query, and each receives another result",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "signature",
        "hash_results query_signature sum_ids identify_hits",
        "compute a number that identifies what each query finds",
        """
        each found:
            $n += wp.tile_map(@id_code, $ids)

        ⟨1:wp.tile_store({code3}, wp.tile_sum($n), offset=$q)|$sum = wp.tile_sum($n) + wp.tile_load({base}, shape=1, offset=$q)
        wp.tile_store({code3}, $sum, offset=$q)⟩
        """,
        threads="q",
        kinds="tile_query",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "density",
        "query_density crowding_load estimate_load weigh_hits",
        "turn the number of hits of each query into a load⟨1:, with its weight|⟩",
        """
        each found:
            $n += wp.tile_map(@⟨valid|valid|id_code⟩, $ids)

        ⟨# hits as a float
        |⟩$c = wp.tile_astype(wp.tile_sum($n), dtype=float)
        ⟨1:$m = wp.tile_load({mass}, shape=1, offset=$q)
        wp.tile_store({load}, $m + $c * ⟨0.25|0.5|0.1⟩, offset=$q)|wp.tile_store({load}, $c * ⟨0.5|0.1⟩, offset=$q)⟩
        """,
        threads="q",
        kinds="tile_query",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "highest",
        "highest_id last_overlap largest_found max_result",
        "find the largest id that each query finds, -1 for none",
        """
        $best = wp.tile_full(shape={block}, value=-1, dtype=int)
        each found:
            $best = wp.tile_map(wp.max, $best, $ids)

        $top = wp.tile_max($best)
        ⟨1:wp.tile_store({code3}, $top, offset=$q)|wp.tile_store({code3}, $top + wp.tile_load({base}, shape=1, offset=$q), offset=$q)⟩
        """,
        threads="q",
        kinds="tile_query",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "crowded",
        "classify_queries grade_queries split_by_hits label_queries",
        "raise the grade of ⟨1:queries with many results|queries that find anything|queries by their number of results⟩",
        """
        each found:
            $n += wp.tile_map(@valid, $ids)

        $total = wp.tile_extract(wp.tile_sum($n), 0)
        $grade = int(0)
        ⟨1:if $total > ⟨2|3⟩:
            ⟨# handled by another kernel
            |⟩$grade = $total|if $total > 0:
            $grade = 1|if $total > 4:
            $grade = 2
        elif $total > 0:
            $grade = 1⟩
        wp.tile_store({code3}, wp.tile_full(shape=1, value=$grade, dtype=int) + wp.tile_load({base}, shape=1, offset=$q), offset=$q)
        """,
        threads="q",
        kinds="tile_query",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "mark",
        "count_hits_per_thread mark_found gather_contacts accumulate_hits",
        "add each result of the queries to counts",
        """
        each found:
            $id = wp.untile($ids)
            if $id >= 0:
                ⟨wp.atomic_add({hits_acc}, $q, 1)|⟨# even and odd results differ
                |⟩if $id % 2 == {even}:
                    wp.atomic_add({hits_acc}, $q, 1)
                else:
                    wp.atomic_add({ptot}, 0, 1)⟩
        """,
        threads="q",
        kinds="tile_query",
        integer=True,
        alone=True,
        blocks=BLOCKS,
        tiled=True,
    ),
)
