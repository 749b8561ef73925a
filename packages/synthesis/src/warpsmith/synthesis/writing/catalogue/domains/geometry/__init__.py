"""Domain `geometry`: boxes, trees, hashing, rays, signed distances, curves, frames and registration."""

from warpsmith.synthesis.writing.catalogue.domains.geometry.bounds import BOUNDS
from warpsmith.synthesis.writing.catalogue.domains.geometry.contacts import CONTACTS
from warpsmith.synthesis.writing.catalogue.domains.geometry.counts import COUNTS
from warpsmith.synthesis.writing.catalogue.domains.geometry.curves import CURVES
from warpsmith.synthesis.writing.catalogue.domains.geometry.data import INDICES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.geometry.frames import FRAMES
from warpsmith.synthesis.writing.catalogue.domains.geometry.hashing import HASHING
from warpsmith.synthesis.writing.catalogue.domains.geometry.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.geometry.locals import EXTRAS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.geometry.maps import MAPS
from warpsmith.synthesis.writing.catalogue.domains.geometry.polygons import POLYGONS
from warpsmith.synthesis.writing.catalogue.domains.geometry.rays import RAYS
from warpsmith.synthesis.writing.catalogue.domains.geometry.shapes import SHAPES
from warpsmith.synthesis.writing.catalogue.domains.geometry.short_copies import SHORT_COPIES
from warpsmith.synthesis.writing.catalogue.domains.geometry.short_data import SHORT_HELPERS, SHORT_NAMES, SHORT_PARAMETERS
from warpsmith.synthesis.writing.catalogue.domains.geometry.short_formulas import SHORT_FORMULAS
from warpsmith.synthesis.writing.catalogue.domains.geometry.trees import TREES
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "geometry",
    (*PARAMETERS, *SHORT_PARAMETERS),
    INDICES,
    {**NAMES, **SHORT_NAMES},
    (),
    (
        *BOUNDS,
        *TREES,
        *HASHING,
        *SHAPES,
        *RAYS,
        *POLYGONS,
        *CONTACTS,
        *COUNTS,
        *FRAMES,
        *CURVES,
        *MAPS,
        *SHORT_COPIES,
        *SHORT_FORMULAS,
    ),
    (),
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
