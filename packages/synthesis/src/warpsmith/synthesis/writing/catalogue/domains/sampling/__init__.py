"""Domain `sampling`: random draws and walks, statistics of samples, signals, prices, epidemics and queues."""

from warpsmith.synthesis.writing.catalogue.domains.sampling.data import INDICES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.sampling.draws import DRAWS
from warpsmith.synthesis.writing.catalogue.domains.sampling.extras import EXTRAS
from warpsmith.synthesis.writing.catalogue.domains.sampling.finance import FINANCE
from warpsmith.synthesis.writing.catalogue.domains.sampling.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.sampling.locals import LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.sampling.populations import POPULATIONS
from warpsmith.synthesis.writing.catalogue.domains.sampling.resampling import RESAMPLING
from warpsmith.synthesis.writing.catalogue.domains.sampling.short_formulas import SHORT_FORMULAS
from warpsmith.synthesis.writing.catalogue.domains.sampling.short_helpers import SHORT_HELPERS
from warpsmith.synthesis.writing.catalogue.domains.sampling.short_integers import SHORT_INTEGERS
from warpsmith.synthesis.writing.catalogue.domains.sampling.short_points import SHORT_POINTS
from warpsmith.synthesis.writing.catalogue.domains.sampling.signals import SIGNALS
from warpsmith.synthesis.writing.catalogue.domains.sampling.statistics import STATISTICS
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "sampling",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (*DRAWS, *RESAMPLING, *STATISTICS, *SIGNALS, *FINANCE, *POPULATIONS, *SHORT_FORMULAS, *SHORT_INTEGERS, *SHORT_POINTS),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
