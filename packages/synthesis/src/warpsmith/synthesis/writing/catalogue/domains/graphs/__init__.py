"""Domain `graphs`: nodes and edges in compressed rows, lists and tables; searches, labels, colours, messages, samples."""

from warpsmith.synthesis.writing.catalogue.domains.graphs.data import INDICES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.graphs.decisions import DECISIONS
from warpsmith.synthesis.writing.catalogue.domains.graphs.labels import LABELS
from warpsmith.synthesis.writing.catalogue.domains.graphs.locals import EXTRAS, HELPERS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.graphs.messages import MESSAGES
from warpsmith.synthesis.writing.catalogue.domains.graphs.short_data import SHORT_HELPERS, SHORT_PARAMETERS
from warpsmith.synthesis.writing.catalogue.domains.graphs.short_edges import SHORT_EDGES
from warpsmith.synthesis.writing.catalogue.domains.graphs.short_state import SHORT_STATE
from warpsmith.synthesis.writing.catalogue.domains.graphs.structure import STRUCTURE
from warpsmith.synthesis.writing.catalogue.domains.graphs.tables import TABLES
from warpsmith.synthesis.writing.catalogue.domains.graphs.traversal import TRAVERSAL
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "graphs",
    (*PARAMETERS, *SHORT_PARAMETERS),
    INDICES,
    NAMES,
    LOCALS,
    (*STRUCTURE, *TRAVERSAL, *LABELS, *DECISIONS, *MESSAGES, *TABLES, *SHORT_STATE, *SHORT_EDGES),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
