"""Domain `records`: integer data processing on columns of tables, hash tables, queues, words of bits."""

from warpsmith.synthesis.writing.catalogue.domains.records.bits import BITS
from warpsmith.synthesis.writing.catalogue.domains.records.copies import COPIES
from warpsmith.synthesis.writing.catalogue.domains.records.data import INDICES, NAMES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.records.hashing import HASHING
from warpsmith.synthesis.writing.catalogue.domains.records.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.records.locals import EXTRAS, LOCALS, LOOPS
from warpsmith.synthesis.writing.catalogue.domains.records.queues import QUEUES
from warpsmith.synthesis.writing.catalogue.domains.records.scanning import SCANNING
from warpsmith.synthesis.writing.catalogue.domains.records.selection import SELECTION
from warpsmith.synthesis.writing.catalogue.domains.records.sequences import SEQUENCES
from warpsmith.synthesis.writing.catalogue.domains.records.short_columns import SHORT_COLUMNS
from warpsmith.synthesis.writing.catalogue.domains.records.short_rules import SHORT_RULES
from warpsmith.synthesis.writing.catalogue.domains.records.sorting import SORTING
from warpsmith.synthesis.writing.catalogue.domains.records.tables import TABLES
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "records",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (*SORTING, *SCANNING, *HASHING, *BITS, *TABLES, *SELECTION, *QUEUES, *SEQUENCES, *COPIES, *SHORT_COLUMNS, *SHORT_RULES),
    LOOPS,
    EXTRAS,
    HELPERS,
    RECORDS,
    WORLD,
)
