"""Data of the domain `tiles`: vectors, rows, matrices, systems, spectra and keys, in parts that a block of threads works on."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, TYPES, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import code, data, fixed_size, integer, number, size, thing
from warpsmith.synthesis.writing.ideas.parts import Index

HALF = TYPES["float16"]
DOUBLE = TYPES["float64"]

# fmt: off
SIZES = (
    size("b", 3, 7, "num_blocks num_tiles n_blocks grid_size", "number of blocks"),
    size("bi", 2, 3, "tiles_m row_tiles num_rows_tiles", "number of tiles in a column of the result"),
    size("bj", 2, 3, "tiles_n col_tiles num_cols_tiles", "number of tiles in a row of the result"),
    size("nb", 8, 16, "num_queries query_count n_boxes", "number of queries"),
    size("cells", 3, 6, "num_rows row_count", "number of rows"),
    fixed_size("t", (16, 32, 64, 128), "TILE_SIZE TILE BLOCK_SIZE CHUNK", "elements of a tile"),
    fixed_size("cols", (8, 16, 32, 64), "NUM_FEATURES ROW_LENGTH HIDDEN_SIZE FEATURE_DIM", "length of a row"),
    fixed_size("tr", (1, 2, 4), "ROWS_PER_BLOCK TILE_ROWS BLOCK_ROWS", "rows of a tile"),
    fixed_size("steps", (2, 3, 4), "NUM_CHUNKS TILES_PER_ROW NUM_STEPS", "number of chunks"),
    fixed_size("tm", (4, 8, 16), "TILE_M BLOCK_M BM", "rows of a tile"),
    fixed_size("tn", (4, 8, 16), "TILE_N BLOCK_N BN", "columns of a tile"),
    fixed_size("tk", (4, 8, 16), "TILE_K BLOCK_K BK", "length of a step of the product"),
    fixed_size("dim", (4, 6, 8), "DIM NUM_DOFS SYSTEM_SIZE NV", "unknowns of a system"),
    fixed_size("fft", (64, 128), "FFT_SIZE SIGNAL_LENGTH NUM_SAMPLES", "samples of a signal"),
    fixed_size("half", (8, 16, 32), "HALF_TILE NUM_PAIRS HALF", "half of the elements of a tile"),
    fixed_size("bins", (4, 8, 16), "NUM_BINS BINS NUM_CLASSES", "number of bins"),
    fixed_size("pick", (4, 8, 16), "NUM_PICKS BATCH_SIZE GATHER_SIZE", "indices of a tile"),
    fixed_size("dep", (4, 8, 12), "EMBED_DIM ROW_WIDTH CHANNELS", "length of a row"),
)

VECTORS = (
    data("x", FLOAT, -1.0, 1.0, "x samples values signal", "values", "t*b"),
    data("y", FLOAT, -1.0, 1.0, "y targets other reference", "values that belong to the first ones", "t*b"),
    data("z", FLOAT, -1.0, 1.0, "z direction search_dir momentum", "further values", "t*b"),
    data("w", FLOAT, 0.2, 1.5, "weights w scales mass", "positive weights", "t*b"),
    data("out", FLOAT, 0.0, 0.0, "out result y_out output", "results", "t*b"),
    data("out2", FLOAT, 0.0, 0.0, "residual_out r_out second_out delta", "second results", "t*b"),
    data("acc", FLOAT, 0.0, 1.0, "accum state running total_values", "values that are added to", "t*b"),
    data("wide", DOUBLE, 0.0, 0.0, "out_d result_f64 high_precision", "results in double precision", "t*b"),
    data("narrow", HALF, -1.0, 1.0, "x_half packed_values h_in", "values in half precision", "t*b"),
    data("pb", FLOAT, 0.0, 0.0, "block_sums partial_sums sums per_block", "a number for each block", "b"),
    data("pb2", FLOAT, 0.0, 0.0, "block_norms partial_norms sums_sq energy", "a second number for each block", "b"),
    data("scale", FLOAT, 0.2, 1.5, "scale gains block_scale factor", "a factor for each block", "b"),
    data("total", FLOAT, 0.0, 0.0, "total sum_out loss accumulator", "sum over all blocks", "1", start=0.0),
    data("chunks", FLOAT, -1.0, 1.0, "x long_signal history stream", "values of all chunks", "b t*steps"),
    data("padded", FLOAT, -1.0, 1.0, "padded signal_padded halo_values u", "values with two more at the end", "t*b+2"),
    data("taps", FLOAT, -0.5, 0.5, "taps kernel_weights coeffs fir", "coefficients of the filter", "4"),
    data("pairs", FLOAT, -1.0, 1.0, "pairs interleaved samples lr", "pairs of values", "half*b 2"),
    data("halves", FLOAT, 0.0, 0.0, "pooled half_out coarse downsampled", "a value for each pair", "half*b"),
    data("pairs_out", FLOAT, 0.0, 0.0, "pairs_out rotated interleaved_out lr_out", "changed pairs", "half*b 2"),
)

ROWS = (
    data("m", FLOAT, -1.0, 1.0, "x inputs features hidden", "rows of values", "tr*b cols"),
    data("m2", FLOAT, -1.0, 1.0, "residual skip other targets", "rows of the same shape", "tr*b cols"),
    data("gain", FLOAT, 0.5, 1.5, "gamma gain weight ln_weight", "factor of each column", "cols"),
    data("bias", FLOAT, -0.5, 0.5, "beta bias b ln_bias", "offset of each column", "cols"),
    data("m_out", FLOAT, 0.0, 0.0, "y out normalized activations", "rows of results", "tr*b cols"),
    data("rs", FLOAT, 0.0, 0.0, "row_sums means mu row_stats", "a number for each row", "tr*b"),
    data("rs2", FLOAT, 0.0, 0.0, "row_norms variances rstd row_scale", "a second number for each row", "tr*b"),
    data("cs", FLOAT, 0.0, 0.0, "column_sums col_totals bias_grad feature_sums", "a sum for each column", "cols", start=0.0),
)

MATRICES = (
    data("a", FLOAT, -1.0, 1.0, "a lhs A mat_a", "left matrix", "tm*bi tk*ks"),
    data("at", FLOAT, -1.0, 1.0, "a_t lhs_t A_t a_transposed", "left matrix, transposed", "tk*ks tm*bi"),
    data("bm", FLOAT, -1.0, 1.0, "b rhs B mat_b", "right matrix", "tk*ks tn*bj"),
    data("cm", FLOAT, -1.0, 1.0, "c_in C residual_in prior", "matrix that is added", "tm*bi tn*bj"),
    data("c", FLOAT, 0.0, 0.0, "c out C mat_c", "product", "tm*bi tn*bj"),
    data("ct", FLOAT, 0.0, 0.0, "c_t out_t C_t product_t", "product, transposed", "tn*bj tm*bi"),
    data("cb", FLOAT, -0.5, 0.5, "bias biases b_out offsets", "offset of each column", "tn*bj"),
    data("csum", FLOAT, 0.0, 0.0, "col_sums bias_grad totals col_acc", "a sum for each column", "tn*bj", start=0.0),
    data("h", HALF, -1.0, 1.0, "a_half lhs_h A_h w_half", "left matrix in half precision", "tm*bi tk*ks"),
    data("q3", FLOAT, -1.0, 1.0, "batch_a jacobians J lhs_batch", "a matrix for each block", "b tm tk"),
    data("k3", FLOAT, -1.0, 1.0, "batch_b rhs_batch B keys", "a second matrix for each block", "b tk tn"),
    data("c3", FLOAT, 0.0, 0.0, "batch_c out_batch products C", "a product for each block", "b tm tn"),
    data("gram", FLOAT, 0.0, 0.0, "gram covariance normal_mat JJt", "a square matrix for each block", "b tm tm"),
    data("v2", FLOAT, -1.0, 1.0, "vecs rhs_vecs q x", "a vector for each block", "b tk"),
    data("mv", FLOAT, 0.0, 0.0, "mv_out products_out Ax y", "a product for each block", "b tm"),
    data("pts", FLOAT, -1.0, 1.0, "points data samples descriptors", "points, one in each row", "tm*bi tk"),
    data("ctr", FLOAT, -1.0, 1.0, "centers centroids codebook means", "centers, one in each row", "tn*bj tk"),
)

SYSTEMS = (
    data("s", FLOAT, -1.0, 1.0, "matrices A blocks jac", "a matrix for each system", "b dim dim"),
    data("r", FLOAT, -2.0, 2.0, "rhs b loads grad", "right side of each system", "b dim"),
    data("r2", FLOAT, -2.0, 2.0, "targets guess x0 previous", "a second vector for each system", "b dim"),
    data("l_out", FLOAT, 0.0, 0.0, "factors L chol_out lower", "factor of each system", "b dim dim"),
    data("x_out", FLOAT, 0.0, 0.0, "solution x_out dx qacc", "solution of each system", "b dim"),
    data("e_out", FLOAT, 0.0, 0.0, "energies costs quad_form dist_sq", "a number for each system", "b"),
    data("sd", DOUBLE, -1.0, 1.0, "matrices_d A64 blocks_d H", "a matrix for each system in double precision", "b dim dim"),
    data("ld_out", DOUBLE, 0.0, 0.0, "factors_d L64 chol_d lower_d", "factor of each system in double precision", "b dim dim"),
)

SPECTRA = (
    data("f", VEC2, -1.0, 1.0, "signal samples field waves", "complex samples, a signal in each row", "tr*b fft"),
    data("g", VEC2, -1.0, 1.0, "kernel_spectrum template other reference", "a second signal in each row", "tr*b fft"),
    data("resp", FLOAT, 0.0, 1.0, "response transfer window gains", "factor of each frequency", "fft"),
    data("wave", FLOAT, -3.0, 3.0, "wavenumbers k omega freqs", "wave number of each frequency", "fft"),
    data("f_out", VEC2, 0.0, 0.0, "spectrum out filtered signal_out", "complex results", "tr*b fft"),
    data("pow", FLOAT, 0.0, 0.0, "power spectrum_power psd magnitudes", "power of each frequency", "tr*b fft"),
    data("esum", FLOAT, 0.0, 0.0, "energies row_energy total_power rms", "energy of each signal", "tr*b"),
)

KEYS = (
    data("k", INT, 0, 99, "keys codes labels cells", "keys", "t*b"),
    data("kp", INT, 0, 1023, "ranks codes morton_codes ids", "keys that differ from each other", "t*b", "permutation"),
    data("k2", INT, 0, 999, "values costs distances scores_q", "whole numbers that belong to the keys", "t*b"),
    data("flag", INT, 0, 1, "flags keep active mask", "1 for elements that are kept", "t*b"),
    data("ko", INT, 0, 0, "keys_out sorted_keys order ranks", "results for the keys", "t*b"),
    data("ko2", INT, 0, 0, "perm indices_out source_ids origin", "places of the keys", "t*b"),
    data("k2d", INT, 0, 99, "scores_i labels codes_2d votes", "rows of whole numbers", "tr*b cols"),
    data("krow", INT, 0, 0, "row_best row_totals best_per_row row_counts", "a whole number for each row", "tr*b"),
    data("kb", INT, 0, 0, "block_counts counts best_index chosen", "a whole number for each block", "b"),
    data("kb2", INT, 0, 0, "block_max highest limits extent", "a second whole number for each block", "b"),
    data("ktot", INT, 0, 0, "total_count counter num_kept", "sum over all blocks", "1", start=0.0),
    data("hist", INT, 0, 0, "histogram hist bin_counts", "count of each bin", "bins", start=0.0),
    data("bh", INT, 0, 0, "block_hist local_hist bins_out class_counts", "counts of the bins of each block", "b bins"),
    data("fh", FLOAT, 0.0, 0.0, "bin_sums weighted_hist mass_per_bin", "sum of each bin", "bins", start=0.0),
    data("lead", INT, 0, 0, "leaders leader_codes tags block_codes", "codes that follow from one thread", "b bins"),
)

GATHERS = (
    data("table", FLOAT, -1.0, 1.0, "table embeddings weight codebook", "rows to choose from", "nr dep"),
    data("ids", INT, 0, "nr", "ids indices row_ids tokens", "rows that are chosen", "pick*b"),
    data("src", FLOAT, -1.0, 1.0, "grads updates rows_in values", "rows of values", "pick*b dep"),
    data("picked", FLOAT, 0.0, 0.0, "gathered rows out selected", "chosen rows", "pick*b dep"),
    data("table_out", FLOAT, 0.0, 0.0, "table_grad accum scattered embedding_grad", "sums of rows", "nr dep", start=0.0),
    data("permute", INT, 0, "dep", "columns channel_order perm col_ids", "columns in another order", "dep"),
    data("sel", FLOAT, 0.0, 0.0, "row_sums selected_sums pooled summary", "a row for each block", "b dep"),
    data("staged", FLOAT, 0.0, 0.0, "staged shuffled rows_out reordered", "changed rows", "two*b dep"),
    data("order", INT, 0, "two", "order rows_order perm picks", "place of each row of a tile", "two", "permutation"),
    data("pairs_in", FLOAT, -1.0, 1.0, "rows x frames inputs", "rows of values", "two*b dep"),
)

THREADS = (
    data("px", FLOAT, -1.0, 1.0, "x values samples costs", "a value for each thread", "block*b"),
    data("pw", FLOAT, 0.2, 1.5, "weights w masses areas", "a weight for each thread", "block*b"),
    data("pv", VEC3, -1.0, 1.0, "points positions velocities forces", "a vector for each thread", "block*b"),
    data("pk", INT, 0, 99, "keys labels cells ids", "a key for each thread", "block*b"),
    data("po", FLOAT, 0.0, 0.0, "out result centered y", "results of the threads", "block*b"),
    data("pko", INT, 0, 0, "codes_out slots ranks_out labels_out", "whole results of the threads", "block*b"),
    data("bv", VEC3, 0.0, 0.0, "centroids block_forces mean_points sums_v", "a vector for each block", "b"),
    data("bf", FLOAT, 0.0, 0.0, "block_sums partials block_energy sums", "a number for each block", "b"),
    data("bn", INT, 0, 0, "block_counts active_counts sums_i tally", "a whole number for each block", "b", start=0.0),
)

QUERIES = (
    data("ctr3", VEC3, -0.9, 0.9, "centers points queries positions", "center of each query in m", "nb"),
    data("ext", VEC3, 0.2, 0.6, "half_extents extents sizes margins", "half extents of each query in m", "nb"),
    data("dirs", VEC3, -1.0, 1.0, "directions rays ray_dirs normals", "direction of each ray", "nb", "unit"),
    data("mass", FLOAT, 0.2, 1.5, "weights masses costs radii", "weight of each query", "nb"),
    data("base", INT, 0, 9, "base_counts offsets priors start_counts", "counts from before", "nb"),
    data("hits", INT, 0, 0, "hit_counts counts num_hits overlaps", "number of hits of each query", "nb"),
    data("hits_acc", INT, 0, 0, "hit_counts counts contact_counts overlaps", "number of hits of each query", "nb", start=0.0),
    data("code3", INT, 0, 0, "signatures id_sums last_ids checks", "a number that identifies the hits", "nb"),
    data("load", FLOAT, 0.0, 0.0, "loads densities pressures crowding", "load of each query", "nb"),
    data("ptot", INT, 0, 0, "total_hits pair_count num_pairs", "number of all hits", "1", start=0.0),
    thing("tree", "bvh", (160,), -1.0, 1.0, "bvh_id bvh tree broadphase", "tree of boxes"),
    thing("mesh", "mesh", (9, 9), -0.3, 0.3, "mesh_id mesh surface collider", "mesh of triangles"),
)

NUMBERS = (
    fixed_size("ks", (2, 3), "K_STEPS NUM_K_TILES TILES_K", "number of steps of the product"),
    size("nr", 18, 30, "num_rows vocab_size table_size", "rows of the table"),
    fixed_size("two", (8, 16, 32), "ROWS_LOADED STAGE_ROWS", "rows that a block loads"),
    number("alpha", 0.2, 1.5, "alpha scale_a step_size lr", "factor of the first tile", "ALPHA STEP_SIZE", (0.5, 0.1, 0.25)),
    number("reach", 0.3, 0.5, "search_radius margin query_radius", "half the edge of a box in m", "SEARCH_RADIUS MARGIN", (0.3, 0.4, 0.5)),
    integer("seed", 0, 1000, "seed rng_seed frame", "seed of the random numbers"),
    integer("cut_k", 30, 70, "threshold min_key cutoff", "threshold of the keys"),
    code("mix", 0.9, "DECAY MOMENTUM BETA", "share of the old values"),
    code("ridge", 4.0, "REGULARIZATION RIDGE LAMBDA", "number that is added to the diagonal"),
    code("ridge2", 3.0, "DAMPING TIKHONOV SHIFT", "number that is added to the diagonal"),
    code("eps", 1.0e-4, "EPS EPSILON LN_EPS", "number that keeps divisors from zero"),
    code("even", 0, "EVEN EVEN_BLOCK", "remainder of every second block"),
    code("limit", 0.5, "THRESHOLD LIMIT HUBER_DELTA", "threshold of the map"),
)
# fmt: on

PARAMETERS = (*SIZES, *NUMBERS, *VECTORS, *ROWS, *MATRICES, *SYSTEMS, *SPECTRA, *KEYS, *GATHERS, *THREADS, *QUERIES)

INDICES = (
    Index("i", "b", "i block_id tile_idx tile_id", "block"),
    Index("bi", "bi", "i tile_i row_tile block_row", "row of tiles"),
    Index("bj", "bj", "j tile_j col_tile block_col", "column of tiles"),
    Index("mi", "b", "i batch_id mat_idx env", "matrix of the batch"),
    Index("u", "b", "i block_id signal_block row_block", "group of signals"),
    Index("sy", "b", "i system_id env worldid", "system"),
    Index("gi", "b", "i block_id batch_id tile_idx", "batch of rows"),
    Index("lane", "block", "lane thread_idx local_id t", "thread of a block"),
    Index("p", "block*b", "tid i thread_id idx", "thread"),
    Index("q", "nb", "i query_id qid block_id", "query"),
)
