"""Ideas of the domain `environments`: games on boards, without floats."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BOARDS = (
    Idea(
        "grid_step",
        "gridworld_step maze_step move_agent grid_env_step step_gridworld",
        "move the agent of each maze by one cell",
        """
        hook board_begin
        $x = {ax}[$e]
        $y = {ay}[$e]
        ⟨1:$nx = wp.clamp($x + @step_x({move}[$e]), 0, {cols} - 1)
        $ny = wp.clamp($y + @step_y({move}[$e]), 0, {rows} - 1)|$nx = int($x)
        $ny = int($y)
        if {move}[$e] == {LEFT}:
            $nx = wp.max($x - 1, 0)
        elif {move}[$e] == {RIGHT}:
            $nx = wp.min($x + 1, {cols} - 1)
        elif {move}[$e] == {UP}:
            $ny = wp.max($y - 1, 0)
        elif {move}[$e] == {DOWN}:
            $ny = wp.min($y + 1, {rows} - 1)⟩
        $tile = {walls}[$e, $ny, $nx]
        $pts = int(⟨-1|0⟩)
        if $tile == {WALL}:
            # walls stop the agent
            $nx = $x
            $ny = $y
            ⟨wp.atomic_add({bumps}, 0, 1)|$pts = $pts - 1|⟩
        ⟨elif $tile == {DOOR}:
            if {bag}[$e] > 0:
                {bag}[$e] -= 1
                ⟨{walls}[$e, $ny, $nx] = {EMPTY}
                |⟩$pts = $pts + 2
            else:
                $nx = $x
                $ny = $y
        |⟩elif $tile == {EXIT}:
            $pts = $pts + 10
            {over}[$e] = 1
        {ax_out}[$e] = $nx
        {ay_out}[$e] = $ny
        {points}[$e] = $pts
        """,
        threads="e",
        kinds="control_flow multi_conditional",
        integer=True,
        docs="one step of a maze: walls stop the agent, doors need a key, the exit ends the game",
    ),
    Idea(
        "tictactoe",
        "tictactoe_winner check_winner evaluate_board find_winner score_board",
        "find the winner of each game of noughts and crosses",
        """
        hook board_begin
        $who = int(0)
        ⟨1:for $k in range(8):
            $m0 = {marks}[$e, {lines}[$k, 0]]
            if $m0 == 0:
                continue
            if $m0 == {marks}[$e, {lines}[$k, 1]] and $m0 == {marks}[$e, {lines}[$k, 2]]:
                $who = $m0|for $k in range(3):
            # a row and a column
            $who += @line_winner({marks}[$e, 3 * $k], {marks}[$e, 3 * $k + 1], {marks}[$e, 3 * $k + 2])
            $who += @line_winner({marks}[$e, $k], {marks}[$e, $k + 3], {marks}[$e, $k + 6])
        $who += @line_winner({marks}[$e, 0], {marks}[$e, 4], {marks}[$e, 8])
        $who += @line_winner({marks}[$e, 2], {marks}[$e, 4], {marks}[$e, 6])
        $who = wp.sign($who)|for $k in range(3):
            $line = {marks}[$e, 3 * $k] + {marks}[$e, 3 * $k + 1] + {marks}[$e, 3 * $k + 2]
            if $line == 3 or $line == -3:
                $who = $line // 3
            $file = {marks}[$e, $k] + {marks}[$e, $k + 3] + {marks}[$e, $k + 6]
            if $file == 3:
                $who = 1
            elif $file == -3:
                $who = -1⟩
        {winner}[$e] = $who
        if $who != 0:
            ⟨wp.atomic_add({tally}, $who + 1, 1)
            |⟩{over}[$e] = 1
            return
        ⟨# a draw if at most one cell is empty
        $empty = int(0)
        for $k in range(9):
            if {marks}[$e, $k] == 0:
                $empty += 1
        if $empty < 2:
            {over}[$e] = 2
            ⟨wp.atomic_add({tally}, 3, 1)|⟩|{player}[$e] = 1 - {player}[$e]⟩
        """,
        threads="e",
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "drop_disc",
        "drop_disc connect4_step find_landing_row place_disc connect_four_move",
        "drop a disc into the column of each move and measure the longest run",
        """
        hook board_begin
        $chosen = {column}[$e]
        ⟨$drop = int({rows}) - 1
        while $drop >= 0:
            if {disc}[$e, $drop, $chosen] == {EMPTY}:
                break
            $drop -= 1|$drop = int(-1)
        for $k in range({rows}):
            # rows are counted from the top
            if {disc}[$e, $k, $chosen] == {EMPTY}:
                $drop = $k⟩
        {landing}[$e] = $drop
        if $drop < 0:
            # the column is full
            ⟨{over}[$e] = 1
            |wp.atomic_add({bumps}, 0, 1)
            |⟩return
        ⟨$who = 2 * {player}[$e] - 1|$who = 1 if {player}[$e] == 1 else -1⟩
        $run = 1 + @count_run({disc}, $e, $drop, $chosen, 0, 1, $who) + @count_run({disc}, $e, $drop, $chosen, 0, -1, $who)
        ⟨$run = wp.max($run, 1 + @count_run({disc}, $e, $drop, $chosen, 1, 0, $who))|$down = 1 + @count_run({disc}, $e, $drop, $chosen, 1, 0, $who)
        if $down > $run:
            $run = $down⟩
        ⟨|$run = wp.max($run, 1 + @count_run({disc}, $e, $drop, $chosen, 1, 1, $who) + @count_run({disc}, $e, $drop, $chosen, -1, -1, $who))⟩
        {run_len}[$e] = $run
        if $run >= ⟨4|3⟩:
            {winner}[$e] = $who
            ⟨wp.atomic_add({tally}, $who + 1, 1)|⟩
        """,
        threads="e",
        kinds="control_flow helper_functions",
        integer=True,
    ),
    Idea(
        "legal_moves",
        "legal_actions compute_action_mask legal_columns valid_moves mask_actions",
        "decide which columns are free",
        """
        ⟨# the top cell decides
        {legal}[$e, $xx] = {disc}[$e, 0, $xx] == ⟨{EMPTY}|0⟩|⟨|if {done}[$e]:
            {legal}[$e, $xx] = False
            return
        ⟩$n = int(0)
        ⟨for $k in range({rows}):
            if {disc}[$e, $k, $xx] == {EMPTY}:
                $n += 1|# free cells from the top
        while $n < {rows} and {disc}[$e, wp.min($n, {rows} - 1), $xx] == {EMPTY}:
            $n += 1⟩
        {legal}[$e, $xx] = $n > 0
        ⟨|if $n > 0:
            wp.atomic_add({open_cols}, $e, 1)⟩|if {done}[$e] or {disc}[$e, 0, $xx] != {EMPTY}:
            {legal}[$e, $xx] = False
        else:
            {legal}[$e, $xx] = True⟩
        """,
        threads="e xx",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "snake",
        "snake_step step_snake move_snake snake_update snake_env_step",
        "move each snake by one cell and detect what it hits",
        """
        hook board_begin
        $face = ({dir}[$e] + {turn}[$e] + 4) % 4
        {dir_out}[$e] = $face
        $hx = {body_x}[$e, {snake_head}[$e]]
        $hy = {body_y}[$e, {snake_head}[$e]]
        ⟨1:if $face == 0:
            $hx = $hx + 1
        elif $face == 1:
            $hy = $hy + 1
        elif $face == 2:
            $hx = $hx - 1
        else:
            $hy = $hy - 1|# 0 is to the right, then clockwise
        $hx = $hx + (1 - $face) * (1 - ($face & 1))
        $hy = $hy + (2 - $face) * ($face & 1)⟩
        ⟨2:if $hx < 0 or $hx >= {cols} or $hy < 0 or $hy >= {rows}:
            # the snake left the board
            {snake_state}[$e] = {DIED}
            return|# the board is a torus
        $hx = @wrap($hx, {cols})
        $hy = @wrap($hy, {rows})⟩
        $hit = int(0)
        for $k in range(⟨1, {snake_len}[$e]|{snake_len}[$e]⟩):
            $seg = ({snake_head}[$e] + {SEG} - $k) % {SEG}
            if {body_x}[$e, $seg] == $hx and {body_y}[$e, $seg] == $hy:
                $hit ⟨+= 1|= $k + 1⟩
        if $hit > 0:
            {snake_state}[$e] = {DIED}
            {over}[$e] = 1
            return
        if $hx == {food_x}[$e] and $hy == {food_y}[$e]:
            {snake_state}[$e] = {ATE}
            ⟨{snake_len}[$e] = wp.min({snake_len}[$e] + 1, {SEG} - 1)
            |⟩wp.atomic_add({eaten}, 0, 1)
        {ax_out}[$e] = $hx
        {ay_out}[$e] = $hy
        ⟨|{snake_head}[$e] = ({snake_head}[$e] + 1) % {SEG}⟩
        """,
        threads="e",
        kinds="control_flow multi_conditional early_exit",
        integer=True,
    ),
    Idea(
        "pong",
        "pong_step step_ball update_ball pong_update move_ball",
        "move the ball of each court, with walls and paddles",
        """
        hook board_begin
        $x = {ball_x}[$e] + {ball_vx}[$e]
        $y = {ball_y}[$e] + {ball_vy}[$e]
        # upper and lower wall
        if $y < 0:
            $y = -$y
            {ball_vy}[$e] = -{ball_vy}[$e]
        elif $y >= {FIELD_H}:
            $y = 2 * ({FIELD_H} - 1) - $y
            {ball_vy}[$e] = -{ball_vy}[$e]
        $side = int(-1)
        if $x < 0:
            $side = 0
        elif $x >= {FIELD_W}:
            $side = 1
        if $side < 0:
            {ball_x}[$e] = $x
            {ball_y}[$e] = $y
            return
        if wp.abs($y - {pad}[$e, $side]) <= {PAD_HALF}:
            # the paddle returns the ball
            {ball_vx}[$e] = -{ball_vx}[$e]
            ⟨{ball_vy}[$e] += wp.sign($y - {pad}[$e, $side])
            |if {rally}[$e] % 4 == 3:
                # long rallies become faster
                {ball_vx}[$e] = {ball_vx}[$e] * 2
            |# the angle depends on where it hits
            {ball_vy}[$e] = $y - {pad}[$e, $side]
            |⟩{rally}[$e] += 1
            {ball_x}[$e] = ⟨wp.clamp($x, 0, {FIELD_W} - 1)|-$x if $side == 0 else 2 * ({FIELD_W} - 1) - $x⟩
            {ball_y}[$e] = $y
        else:
            {score}[$e, 1 - $side] += 1
            {rally}[$e] = 0
            {ball_x}[$e] = {FIELD_W} // 2
            ⟨{ball_y}[$e] = {FIELD_H} // 2|{ball_y}[$e] = ({ball_y}[$e] * 7 + $e) % {FIELD_H}⟩
            ⟨|if {score}[$e, 1 - $side] > 11:
                {over}[$e] = 1⟩
        """,
        threads="e",
        kinds="control_flow multi_conditional",
        integer=True,
    ),
)
