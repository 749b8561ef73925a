"""Domain `images`: filters, masks, labels, histograms, colours, resampling, feature maps."""

from warpsmith.synthesis.writing.catalogue.domains.images.colors import COLORS
from warpsmith.synthesis.writing.catalogue.domains.images.data import INDICES, NAMES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.images.features import FEATURES
from warpsmith.synthesis.writing.catalogue.domains.images.filters import FILTERS
from warpsmith.synthesis.writing.catalogue.domains.images.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.images.histograms import HISTOGRAMS
from warpsmith.synthesis.writing.catalogue.domains.images.labels import LABELS
from warpsmith.synthesis.writing.catalogue.domains.images.locals import EXTRAS, LOCALS, LOOPS
from warpsmith.synthesis.writing.catalogue.domains.images.patterns import PATTERNS
from warpsmith.synthesis.writing.catalogue.domains.images.resampling import RESAMPLING
from warpsmith.synthesis.writing.catalogue.domains.images.short_copies import SHORT_COPIES
from warpsmith.synthesis.writing.catalogue.domains.images.short_data import SHORT_HELPERS, SHORT_NAMES, SHORT_PARAMETERS
from warpsmith.synthesis.writing.catalogue.domains.images.short_formulas import SHORT_FORMULAS
from warpsmith.synthesis.writing.catalogue.domains.images.short_matrices import SHORT_MATRICES
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "images",
    (*PARAMETERS, *SHORT_PARAMETERS),
    INDICES,
    {**NAMES, **SHORT_NAMES},
    LOCALS,
    (
        *FILTERS,
        *HISTOGRAMS,
        *LABELS,
        *PATTERNS,
        *COLORS,
        *RESAMPLING,
        *FEATURES,
        *SHORT_COPIES,
        *SHORT_FORMULAS,
        *SHORT_MATRICES,
    ),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
