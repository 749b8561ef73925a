"""Domain `learning`: kernels of machine learning, from embeddings and attention to losses, optimizers and replay buffers."""

from warpsmith.synthesis.writing.catalogue.domains.learning.attention import ATTENTION
from warpsmith.synthesis.writing.catalogue.domains.learning.data import INDICES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.learning.integers import INTEGERS
from warpsmith.synthesis.writing.catalogue.domains.learning.layers import LAYERS
from warpsmith.synthesis.writing.catalogue.domains.learning.losses import LOSSES
from warpsmith.synthesis.writing.catalogue.domains.learning.optimizers import OPTIMIZERS
from warpsmith.synthesis.writing.catalogue.domains.learning.replay import REPLAY
from warpsmith.synthesis.writing.catalogue.domains.learning.short_helpers import SHORT_HELPERS
from warpsmith.synthesis.writing.catalogue.domains.learning.short_losses import SHORT_LOSSES
from warpsmith.synthesis.writing.catalogue.domains.learning.short_tokens import SHORT_TOKENS
from warpsmith.synthesis.writing.catalogue.domains.learning.short_updates import SHORT_UPDATES
from warpsmith.synthesis.writing.catalogue.domains.learning.tokens import TOKENS
from warpsmith.synthesis.writing.catalogue.domains.learning.values import EXTRAS, HELPERS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "learning",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (*ATTENTION, *INTEGERS, *LAYERS, *LOSSES, *OPTIMIZERS, *REPLAY, *TOKENS, *SHORT_LOSSES, *SHORT_TOKENS, *SHORT_UPDATES),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
