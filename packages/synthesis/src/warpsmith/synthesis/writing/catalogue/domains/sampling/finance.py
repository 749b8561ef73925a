"""Ideas of the domain `sampling`: prices of options and bonds, values of portfolios."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FINANCE = (
    Idea(
        "simulate_option",
        "price_options_mc simulate_options monte_carlo_price simulate_payoff",
        "estimate the price of each ⟨1:European|Asian|barrier⟩ option from ⟨2:random paths|antithetic paths⟩",
        """
        hook begin
        $rng = wp.rand_init({seed}, ⟨$i|$i + {epoch}|{seeds}[$i]⟩)
        $disc = wp.exp(-{rate} * {mat}[$i])

        # drift and deviation of the logarithm of the price
        ⟨3:$drift = ({rate} - 0.5 * {vol}[$i] * {vol}[$i]) * {mat}[$i]
        $spread = {vol}[$i] * wp.sqrt({mat}[$i])|$var = {vol}[$i] * {vol}[$i] * {mat}[$i]
        $drift = {rate} * {mat}[$i] - 0.5 * $var
        $spread = wp.sqrt($var)⟩

        $sum = float(0.0)
        ⟨7:$count = int(0)
        ||⟩for $k in range(⟨4:4|3|5⟩):
            $z = ⟨5:wp.randn($rng)|wp.clamp(wp.randn($rng), -3.0, 3.0)⟩
            $st = {spot}[$i] * wp.exp($drift + $spread * $z)
            ⟨1:$pay = ⟨6:@payoff($st, {strike}[$i], {right}[$i])|wp.max($st - {strike}[$i], 0.0)⟩|# mean of both ends
            $avg = ⟨8:0.5 * ({spot}[$i] + $st)|wp.sqrt({spot}[$i] * $st)⟩
            $pay = ⟨6:@payoff($avg, {strike}[$i], {right}[$i])|wp.max($avg - {strike}[$i], 0.0)⟩|$pay = ⟨6:@payoff($st, {strike}[$i], {right}[$i])|wp.max($st - {strike}[$i], 0.0)⟩
            if $st ⟨9:> 1.5 * {spot}[$i]|< 0.6 * {spot}[$i]⟩:
                # knocked out
                $pay = float(0.0)⟩
            ⟨2:|$st2 = {spot}[$i] * wp.exp($drift - $spread * $z)
            ⟨1:|$st2 = ⟨8:0.5 * ({spot}[$i] + $st2)|wp.sqrt({spot}[$i] * $st2)⟩
            |⟩$pay2 = ⟨6:@payoff($st2, {strike}[$i], {right}[$i])|wp.max($st2 - {strike}[$i], 0.0)⟩
            ⟨1:||if $st2 ⟨9:> 1.5 * {spot}[$i]|< 0.6 * {spot}[$i]⟩:
                $pay2 = float(0.0)
            ⟩$pay = 0.5 * ($pay + $pay2)⟩
            hook payoff
            $sum += $pay
            ⟨7:if $pay > 0.0:
                # in the money
                $count += 1||⟩

        {price_out}[$i] = $disc * $sum / ⟨4:4|3|5⟩.0
        ⟨7:{hit_out}[$i] = $count|wp.atomic_add({gsum}, {grp}[$i], $disc * $sum / ⟨4:4|3|5⟩.0)|⟩
        """,
        kinds="math monte_carlo random_noise",
    ),
    Idea(
        "black_scholes",
        "black_scholes price_options option_values european_price",
        "compute the price of each option with the formula of Black and Scholes⟨1:| and its delta⟩",
        """
        hook begin
        ⟨2:$spread = {vol}[$i] * wp.sqrt({mat}[$i])
        $d1 = (wp.log({spot}[$i] / {strike}[$i]) + {rate} * {mat}[$i]) / $spread + 0.5 * $spread
        $d2 = $d1 - $spread|$root = wp.sqrt({mat}[$i])
        $d1 = (wp.log({spot}[$i]) - wp.log({strike}[$i]) + ({rate} + 0.5 * {vol}[$i] * {vol}[$i]) * {mat}[$i]) / ({vol}[$i] * $root)
        $d2 = $d1 - {vol}[$i] * $root⟩
        # present value of the strike
        $disc = {strike}[$i] * wp.exp(-{rate} * {mat}[$i])

        ⟨3:$pay = float(0.0)
        if {right}[$i] == {CALL}:
            $pay = {spot}[$i] * @normal_cdf($d1) - $disc * @normal_cdf($d2)
            ⟨1:|{delta_out}[$i] = @normal_cdf($d1)⟩
        elif {right}[$i] == {PUT}:
            $pay = $disc * @normal_cdf(-$d2) - {spot}[$i] * @normal_cdf(-$d1)
            ⟨1:|{delta_out}[$i] = @normal_cdf($d1) - 1.0⟩
        elif {right}[$i] == {STRADDLE}:
            $pay = {spot}[$i] * (2.0 * @normal_cdf($d1) - 1.0) - $disc * (2.0 * @normal_cdf($d2) - 1.0)
            ⟨1:|{delta_out}[$i] = 2.0 * @normal_cdf($d1) - 1.0⟩
        else:
            # a forward
            $pay = {spot}[$i] - $disc
            ⟨1:|{delta_out}[$i] = 1.0⟩|$pay = {spot}[$i] * @normal_cdf($d1) - $disc * @normal_cdf($d2)
        ⟨1:|$hedge = @normal_cdf($d1)⟩
        if {right}[$i] == {PUT}:
            # parity of put and call
            $pay = $pay + $disc - {spot}[$i]
            ⟨1:|$hedge = $hedge - 1.0⟩
        ⟨1:|{delta_out}[$i] = $hedge⟩⟩
        hook payoff
        {price_out}[$i] = $pay
        ⟨4:wp.atomic_add({gsum}, $g, $pay)|if $pay < {fee}:
            # not worth the fee
            wp.atomic_add({lost}, 0, 1)|if {spot}[$i] > {strike}[$i]:
            wp.atomic_add({hits}, 0, 1)|⟩
        """,
        kinds="math multi_conditional helper_functions",
    ),
    Idea(
        "value_portfolio",
        "value_portfolios mark_to_market net_asset_value revalue_books",
        "sum up the ⟨1:value|value and profit⟩ of the positions of each portfolio",
        """
        $sum = float(0.0)
        ⟨1:|$gain = float(0.0)
        ⟩⟨2:$count = int(0)
        ||⟩each position:
            $qt = float({qty}[$k])
            ⟨3:if {sector}[$as] == {only}:
                # excluded
                continue
            |if {qty}[$k] < 0:
                $qt = $qt * (1.0 + {fee})
            |⟩⟨4:$val = $qt * {quote}[$as]|$val = $qt * {quote}[$as] - {fee} * wp.abs($qt)⟩
            $sum += $val
            ⟨1:|$gain += $qt * ({quote}[$as] - {prior}[$as])
            ⟩⟨2:if wp.abs($val) > {limit}:
                $count += 1
                ⟨wp.atomic_add({hits}, 0, 1)|⟩|if {qty}[$k] > 4:
                # large long positions of the sector
                wp.atomic_add({gcount}, {sector}[$as], 1)|⟩

        # totals of the portfolio
        {worth_out}[$bk] = $sum
        ⟨1:|{pnl_out}[$bk] = $gain⟩
        ⟨2:{breach_out}[$bk] = $count||⟩
        """,
        threads="bk",
        kinds="control_flow gather_scatter reduction",
    ),
    Idea(
        "check_limits",
        "check_limits count_breaches audit_positions limit_check",
        "count the positions of each portfolio that break ⟨1:a limit|a rule of their sector⟩",
        """
        $count = int(0)
        $worst = int(⟨-1|{MISSING}⟩)
        $most = int(0)
        each position:
            $qt = {qty}[$k]
            ⟨2:if $qt == 0:
                continue
            |⟩⟨1:if $qt > ⟨6|7⟩ or $qt < ⟨-3|-4⟩:
                $count += 1
                if wp.abs($qt) ⟨>|>=⟩ $most:
                    $most = wp.abs($qt)
                    $worst = $k|$over = int(0)
            if {sector}[$as] == 0:
                # no short sales
                $over = -$qt
            elif {sector}[$as] == 1:
                $over = $qt - ⟨5|6⟩
            else:
                $over = wp.abs($qt) - ⟨3|4⟩
            if $over > 0:
                $count += 1
                ⟨3:if $over > $most:
                    $worst = $k
                    $most = $over|if $over >= $most:
                    # the worst breach so far
                    $most = $over
                    $worst = $k⟩⟩

        {breach_out}[$bk] = $count
        ⟨4:{worst_out}[$bk] = $worst|if $count > 0:
            wp.atomic_add({hits}, 0, $count)
            {worst_out}[$bk] = $worst
        else:
            {worst_out}[$bk] = {MISSING}|wp.atomic_max({top}, 0, $most)⟩
        """,
        threads="bk",
        kinds="multi_conditional control_flow reduction",
        integer=True,
    ),
    Idea(
        "price_bonds",
        "price_bonds present_value discount_flows bond_pricing",
        "compute the present value of ⟨1:each bond|each bond and its duration⟩ from its payments",
        """
        hook begin
        $sum = float(0.0)
        ⟨1:|$time = float(0.0)
        ⟩for $k in range(1, {flows} + 1):
            if $k > {periods}[$i]:
                continue
            $pay = {coupon}[$i]
            if $k == {periods}[$i]:
                # the last payment contains the principal
                $pay = $pay + 1.0
            ⟨2:if {flag}[$i] == {SUSPECT}:
                # expected loss of a doubtful issuer
                $pay = $pay * (1.0 - {fee})
            |⟩⟨3:$disc = wp.exp(-{yld}[$i] * float($k))|$disc = wp.pow(1.0 + {yld}[$i], -float($k))|$disc = 1.0 / wp.pow(1.0 + {yld}[$i], float($k))⟩
            $sum += $pay * $disc
            ⟨1:|$time += float($k) * $pay * $disc⟩

        {bond_out}[$i] = ⟨4:$sum|$sum * ⟨100.0|1000.0⟩|$sum - {fee}⟩
        ⟨1:|{dur_out}[$i] = $time⟩
        ⟨5:wp.atomic_add({gsum}, {grp}[$i], $sum)|if {periods}[$i] > 3:
            # long bonds of the group
            wp.atomic_add({gcount}, {grp}[$i], 1)|⟩
        """,
        kinds="math control_flow",
    ),
)
