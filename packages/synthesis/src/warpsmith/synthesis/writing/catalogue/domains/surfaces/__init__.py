"""Domain `surfaces`: triangle meshes, cloth and finite elements on index arrays."""

from warpsmith.synthesis.writing.catalogue.domains.surfaces.cloth import CLOTH
from warpsmith.synthesis.writing.catalogue.domains.surfaces.data import INDICES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.surfaces.elements import ELEMENTS
from warpsmith.synthesis.writing.catalogue.domains.surfaces.fields import FIELDS
from warpsmith.synthesis.writing.catalogue.domains.surfaces.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.surfaces.indices import INDICES_IDEAS
from warpsmith.synthesis.writing.catalogue.domains.surfaces.lattices import LATTICES
from warpsmith.synthesis.writing.catalogue.domains.surfaces.locals import EXTRAS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.surfaces.short_copies import SHORT_COPIES
from warpsmith.synthesis.writing.catalogue.domains.surfaces.short_data import (
    SHORT_HELPERS,
    SHORT_INDICES,
    SHORT_NAMES,
    SHORT_PARAMETERS,
)
from warpsmith.synthesis.writing.catalogue.domains.surfaces.short_formulas import SHORT_FORMULAS
from warpsmith.synthesis.writing.catalogue.domains.surfaces.states import STATES
from warpsmith.synthesis.writing.catalogue.domains.surfaces.topology import TOPOLOGY
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "surfaces",
    (*PARAMETERS, *SHORT_PARAMETERS),
    (*INDICES, *SHORT_INDICES),
    {**NAMES, **SHORT_NAMES},
    LOCALS,
    (*CLOTH, *ELEMENTS, *FIELDS, *INDICES_IDEAS, *LATTICES, *STATES, *TOPOLOGY, *SHORT_COPIES, *SHORT_FORMULAS),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
