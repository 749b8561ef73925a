"""Domain `grids`: fields on 2-D and 3-D grids, stencils, staggered velocities, lattices, cellular automata."""

from warpsmith.synthesis.writing.catalogue.domains.grids.automata import AUTOMATA
from warpsmith.synthesis.writing.catalogue.domains.grids.data import INDICES, NAMES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.grids.diffusion import DIFFUSION
from warpsmith.synthesis.writing.catalogue.domains.grids.flow import FLOW
from warpsmith.synthesis.writing.catalogue.domains.grids.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.grids.lattice import LATTICE
from warpsmith.synthesis.writing.catalogue.domains.grids.locals import EXTRAS, LOCALS, LOOPS
from warpsmith.synthesis.writing.catalogue.domains.grids.short_copies import SHORT_COPIES
from warpsmith.synthesis.writing.catalogue.domains.grids.short_data import (
    SHORT_HELPERS,
    SHORT_INDICES,
    SHORT_NAMES,
    SHORT_PARAMETERS,
)
from warpsmith.synthesis.writing.catalogue.domains.grids.short_formulas import SHORT_FORMULAS
from warpsmith.synthesis.writing.catalogue.domains.grids.short_matrices import SHORT_MATRICES
from warpsmith.synthesis.writing.catalogue.domains.grids.sparse import SPARSE
from warpsmith.synthesis.writing.catalogue.domains.grids.surface import SURFACE
from warpsmith.synthesis.writing.catalogue.domains.grids.transfer import TRANSFER
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "grids",
    (*PARAMETERS, *SHORT_PARAMETERS),
    (*INDICES, *SHORT_INDICES),
    {**NAMES, **SHORT_NAMES},
    LOCALS,
    (*DIFFUSION, *FLOW, *SURFACE, *LATTICE, *TRANSFER, *SPARSE, *AUTOMATA, *SHORT_COPIES, *SHORT_FORMULAS, *SHORT_MATRICES),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
