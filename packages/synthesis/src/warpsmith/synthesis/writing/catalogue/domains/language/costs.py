"""Losses of regression and classification, with their residuals."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, number
from warpsmith.synthesis.writing.ideas.parts import Idea, Index

PARAMETERS = (
    data("pr", FLOAT, -2.0, 2.0, "predictions pred y_hat outputs", "prediction of each sample"),
    data("ref", FLOAT, -2.0, 2.0, "targets target y labels_f", "target of each sample"),
    data("prob01", FLOAT, 0.05, 0.95, "probabilities probs p confidence", "predicted probability of each sample"),
    data("bit", INT, 0, 1, "binary_targets y_true is_positive truth", "1 for each positive sample"),
    data("sw", FLOAT, 0.2, 2.0, "sample_weights w weight importance", "weight of each sample"),
    data("pv", VEC3, -1.0, 1.0, "pred_points p_hat predicted_pos est_points", "predicted point of each sample in m"),
    data("rv", VEC3, -1.0, 1.0, "target_points p_ref goal_pos true_points", "true point of each sample in m"),
    data("un", VEC3, -1.0, 1.0, "target_normals n_ref plane_normals true_dirs", "unit normal of the target of each sample", "n", "unit"),
    data("logit", FLOAT, -2.0, 2.0, "logits scores z class_scores", "score of each class", "n m"),
    data("aimc", INT, 0, "m", "target_class labels y_class gold", "class of each sample"),
    data("valid", INT, 0, 2, "mask valid sample_mask keep", "0 for samples that are ignored"),
    data("loss", FLOAT, 0.0, 0.0, "loss total_loss loss_sum objective", "sum of the losses", "1", start=0.0),
    data("each_loss", FLOAT, 0.0, 0.0, "losses per_sample_loss cost_out l_i", "loss of each sample"),
    data("gloss", FLOAT, 0.0, 0.0, "group_loss class_loss bucket_loss task_loss", "sum of the losses of each group", "bins", start=0.0),
    data("grad", FLOAT, 0.0, 0.0, "grad_out dpred d_logit grads", "derivative of the loss by each prediction"),
    data("correct", INT, 0, 0, "num_correct hits accuracy_count correct_count", "number of correct predictions", "1", start=0.0),
    number("delta", 0.3, 1.2, "delta beta huber_delta margin", "width of the quadratic part", "DELTA BETA MARGIN", (0.5, 1.0)),
    number("norm", 0.01, 0.2, "inv_count scale inv_n loss_scale", "factor of the loss"),
    number("gamma", 1.0, 3.0, "gamma focal_gamma focus power", "exponent of the focal loss"),
    number("temp", 0.5, 2.0, "temperature tau smoothing t_scale", "temperature of the distribution"),
)  # fmt: skip

INDICES = (Index("sp", "n", "tid i sample row", "sample"),)

NAMES = {"err": "err residual diff e", "li": "l loss_i cost value", "pt": "p pt p_true q", "a": "a abs_err mag u"}

HELPERS = (
    helper(
        "huber",
        '''
def ⟨huber|smooth_l1⟩(e: float, d: float) -> float:
    """Quadratic near zero, linear outside."""
    a = wp.abs(e)
    if a < d:
        return 0.5 * e * e
    return d * (a - 0.5 * d)
''',
        """
def pseudo_huber(e: float, d: float) -> float:
    return d * d * (wp.sqrt(1.0 + (e / d) * (e / d)) - 1.0)
""",
        """
def log_cosh(e: float, d: float) -> float:
    return d * wp.log(wp.cosh(e / d))
""",
        """
def ⟨geman_mcclure|cauchy⟩(e: float, d: float) -> float:
    r2 = (e * e) / (d * d)
    return ⟨r2 / (1.0 + r2)|wp.log(1.0 + r2)⟩
""",
    ),
)

WAYS = "⟨9:{each_loss}[$sp] = $li|wp.atomic_add({loss}, 0, $li⟨| * {norm}⟩)|wp.atomic_add({gloss}, {lab}[$sp], $li)|{each_loss}[$sp] = $li\n        wp.atomic_add({loss}, 0, $li * {norm})⟩"
SKIP = "⟨8:if {valid}[$sp] == 0:\n            return\n        |⟩"

COSTS = (
    Idea(
        "regression_loss",
        "mse_loss regression_loss squared_error l2_loss",
        "accumulate the ⟨1:squared|absolute|weighted squared|relative⟩ error of the predictions",
        """
        SKIP$err = {pr}[$sp] - {ref}[$sp]
        ⟨1:$li = $err * $err|$li = wp.abs($err)|$li = {sw}[$sp] * $err * $err|$li = $err * $err / (1.0 + {ref}[$sp] * {ref}[$sp])⟩
        WAYS
        """.replace("SKIP", SKIP).replace("WAYS", WAYS),
        threads="sp",
        kinds="losses reduction arithmetic",
    ),
    Idea(
        "robust_loss",
        "huber_loss robust_loss smooth_l1_loss robust_residuals",
        "accumulate a robust loss of the residuals",
        """
        SKIP$li = @huber({pr}[$sp] - {ref}[$sp], {delta})⟨| * {sw}[$sp]⟩
        WAYS
        """.replace("SKIP", SKIP).replace("WAYS", WAYS),
        threads="sp",
        kinds="losses helper_functions",
    ),
    Idea(
        "binary_loss",
        "binary_cross_entropy bce_loss focal_loss classification_loss",
        "accumulate the ⟨1:cross entropy|focal loss|squared error|hinge loss⟩ of binary predictions",
        """
        SKIP⟨1:$pt = {prob01}[$sp]
        if {bit}[$sp] == 0:
            $pt = 1.0 - {prob01}[$sp]
        $li = -wp.log($pt)|$pt = wp.where({bit}[$sp] == 1, {prob01}[$sp], 1.0 - {prob01}[$sp])
        $li = -wp.pow(1.0 - $pt, {gamma}) * wp.log($pt)|$pt = {prob01}[$sp] - float({bit}[$sp])
        $li = $pt * $pt|$pt = {pr}[$sp] * (2.0 * float({bit}[$sp]) - 1.0)
        $li = wp.max({delta} - $pt, 0.0)⟩
        WAYS
        """.replace("SKIP", SKIP).replace("WAYS", WAYS),
        threads="sp",
        kinds="losses",
    ),
    Idea(
        "point_loss",
        "point_loss chamfer_term position_error tracking_loss",
        "accumulate the ⟨1:squared distance|distance to the plane|misalignment⟩ of the predicted points",
        """
        SKIP$d = {pv}[$sp] - {rv}[$sp]
        ⟨1:$li = wp.dot($d, $d)|$err = wp.dot($d, {un}[$sp])
        $li = $err * $err|$li = wp.length_sq(wp.cross($d, {un}[$sp]))⟩
        ⟨2:$li = $li * {sw}[$sp]|⟩
        WAYS
        """.replace("SKIP", SKIP)
        .replace("WAYS", WAYS)
        .replace("⟨2:$li = $li * {sw}[$sp]|⟩\n        ", "⟨2:$li = $li * {sw}[$sp]\n        |⟩"),
        threads="sp",
        kinds="losses vector",
    ),
    Idea(
        "loss_gradient",
        "loss_gradient residual_gradient backprop_loss huber_gradient",
        "compute the derivative of the ⟨1:Huber loss|squared error|logistic loss|quantile loss⟩ by each prediction",
        """
        SKIP$err = {pr}[$sp] - {ref}[$sp]
        ⟨1:if $err > {delta}:
            {grad}[$sp] = {delta}
        elif $err < -{delta}:
            {grad}[$sp] = -{delta}
        else:
            {grad}[$sp] = $err|{grad}[$sp] = 2.0 * $err * {norm}⟨| * {sw}[$sp]⟩|{grad}[$sp] = 1.0 / (1.0 + wp.exp(-{pr}[$sp])) - float({bit}[$sp])|if $err > 0.0:
            {grad}[$sp] = {prob01}[$sp]
        else:
            {grad}[$sp] = {prob01}[$sp] - 1.0⟩
        """.replace("SKIP", SKIP),
        threads="sp",
        kinds="losses",
    ),
    Idea(
        "argmax_accuracy",
        "count_correct accuracy evaluate_predictions confusion_diagonal",
        "count the samples whose ⟨1:best|worst⟩ class is the target",
        """
        $best = int(0)
        for $cls in range(1, {m}):
            if {logit}[$sp, $cls] ⟨1:>|<⟩ {logit}[$sp, $best]:
                $best = $cls
        if $best == {aimc}[$sp]:
            wp.atomic_add({correct}, 0, 1)
            ⟨2:wp.atomic_add({group_n}, {lab}[$sp], 1)|⟩
        ⟨3:{i_out}[$sp] = $best|{i_out}[$sp] = wp.where($best == {aimc}[$sp], 1, 0)⟩
        """,
        threads="sp",
        kinds="losses control_flow",
    ),
    Idea(
        "margin_loss",
        "margin_loss hinge_ranking pairwise_loss contrastive_loss",
        "accumulate the ⟨1:margin of each class over the target|distance of each pair⟩",
        """
        ⟨1:$li = float(0.0)
        $score = {logit}[$sp, {aimc}[$sp]]
        for $cls in range({m}):
            if $cls != {aimc}[$sp]:
                $li += wp.max({delta} + {logit}[$sp, $cls] - $score, 0.0)|$d = {pv}[$sp] - {pv}[{link}[$sp]]
        $err = wp.length_sq($d)
        if {bit}[$sp] == 1:
            $li = $err
        else:
            $li = wp.max({delta} - $err, 0.0)⟩
        WAYS
        """.replace("WAYS", WAYS.replace("⟨| * {norm}⟩", "").replace("$li * {norm}", "$li")),
        threads="sp",
        kinds="losses",
    ),
)
