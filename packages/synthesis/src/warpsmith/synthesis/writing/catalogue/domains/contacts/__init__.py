"""Domain `contacts`: collision shapes, pair filters, narrow phase, contact forces, constraint rows and sleeping islands."""

from warpsmith.synthesis.writing.catalogue.domains.contacts.broad_phase import BROAD_PHASE
from warpsmith.synthesis.writing.catalogue.domains.contacts.compliance import COMPLIANCE
from warpsmith.synthesis.writing.catalogue.domains.contacts.data import INDICES, NAMES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.contacts.forces import FORCES
from warpsmith.synthesis.writing.catalogue.domains.contacts.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.contacts.islands import ISLANDS
from warpsmith.synthesis.writing.catalogue.domains.contacts.lists import LISTS
from warpsmith.synthesis.writing.catalogue.domains.contacts.locals import EXTRAS, LOCALS, LOOPS
from warpsmith.synthesis.writing.catalogue.domains.contacts.narrow_phase import NARROW_PHASE
from warpsmith.synthesis.writing.catalogue.domains.contacts.short_data import SHORT_HELPERS, SHORT_PARAMETERS
from warpsmith.synthesis.writing.catalogue.domains.contacts.short_forces import SHORT_FORCES
from warpsmith.synthesis.writing.catalogue.domains.contacts.short_state import SHORT_STATE
from warpsmith.synthesis.writing.catalogue.domains.contacts.solver import SOLVER
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "contacts",
    (*PARAMETERS, *SHORT_PARAMETERS),
    INDICES,
    NAMES,
    LOCALS,
    (*BROAD_PHASE, *NARROW_PHASE, *FORCES, *COMPLIANCE, *SOLVER, *LISTS, *ISLANDS, *SHORT_STATE, *SHORT_FORCES),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
