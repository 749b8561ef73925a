"""Domain `tiles`: programs that a block of threads computes together: rows, products, systems, spectra, sorts and queries."""

from warpsmith.synthesis.writing.catalogue.domains.tiles.data import INDICES, PARAMETERS
from warpsmith.synthesis.writing.catalogue.domains.tiles.gathers import GATHERS
from warpsmith.synthesis.writing.catalogue.domains.tiles.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.tiles.keys import KEYS
from warpsmith.synthesis.writing.catalogue.domains.tiles.locals import EXTRAS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.tiles.matrices import MATRICES
from warpsmith.synthesis.writing.catalogue.domains.tiles.queries import QUERIES
from warpsmith.synthesis.writing.catalogue.domains.tiles.rows import ROWS
from warpsmith.synthesis.writing.catalogue.domains.tiles.spectra import SPECTRA
from warpsmith.synthesis.writing.catalogue.domains.tiles.systems import SYSTEMS
from warpsmith.synthesis.writing.catalogue.domains.tiles.threads import THREADS
from warpsmith.synthesis.writing.ideas.parts import Domain

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
