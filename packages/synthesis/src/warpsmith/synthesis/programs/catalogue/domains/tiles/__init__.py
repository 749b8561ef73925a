"""Domain `tiles`: programs that a block of threads computes together: rows, products, systems, spectra, sorts and queries."""

from warpsmith.synthesis.programs.catalogue.domains.tiles.data import INDICES, PARAMETERS
from warpsmith.synthesis.programs.catalogue.domains.tiles.gathers import GATHERS
from warpsmith.synthesis.programs.catalogue.domains.tiles.helpers import HELPERS
from warpsmith.synthesis.programs.catalogue.domains.tiles.keys import KEYS
from warpsmith.synthesis.programs.catalogue.domains.tiles.locals import EXTRAS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.programs.catalogue.domains.tiles.matrices import MATRICES
from warpsmith.synthesis.programs.catalogue.domains.tiles.queries import QUERIES
from warpsmith.synthesis.programs.catalogue.domains.tiles.rows import ROWS
from warpsmith.synthesis.programs.catalogue.domains.tiles.spectra import SPECTRA
from warpsmith.synthesis.programs.catalogue.domains.tiles.systems import SYSTEMS
from warpsmith.synthesis.programs.catalogue.domains.tiles.threads import THREADS
from warpsmith.synthesis.programs.ideas.parts import Domain

DOMAIN = Domain(
    "tiles",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (*ROWS, *MATRICES, *SPECTRA, *KEYS, *GATHERS, *SYSTEMS, *THREADS, *QUERIES),
    LOOPS,
    EXTRAS,
    HELPERS,
)
