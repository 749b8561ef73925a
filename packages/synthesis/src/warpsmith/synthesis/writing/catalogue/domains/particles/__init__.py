"""Domain `particles`: point masses, springs and constraints, SPH, flocks, cells of a grid, emitters and life spans."""

from warpsmith.synthesis.writing.catalogue.domains.particles.cells import CELLS
from warpsmith.synthesis.writing.catalogue.domains.particles.data import INDICES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.particles.extras import EXTRAS
from warpsmith.synthesis.writing.catalogue.domains.particles.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.particles.lifecycle import LIFECYCLE
from warpsmith.synthesis.writing.catalogue.domains.particles.locals import LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.particles.motion import MOTION
from warpsmith.synthesis.writing.catalogue.domains.particles.neighbors import NEIGHBORS
from warpsmith.synthesis.writing.catalogue.domains.particles.short_copies import SHORT_COPIES
from warpsmith.synthesis.writing.catalogue.domains.particles.short_fields import SHORT_FIELDS
from warpsmith.synthesis.writing.catalogue.domains.particles.short_helpers import SHORT_HELPERS
from warpsmith.synthesis.writing.catalogue.domains.particles.springs import SPRINGS
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "particles",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (*MOTION, *SPRINGS, *NEIGHBORS, *CELLS, *LIFECYCLE, *SHORT_COPIES, *SHORT_FIELDS),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
