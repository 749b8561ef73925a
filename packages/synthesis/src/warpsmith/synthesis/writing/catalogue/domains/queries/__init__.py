"""Domain `queries`: kernels that query meshes, hierarchies of boxes, hash grids, textures and volumes."""

from warpsmith.synthesis.writing.catalogue.domains.queries.boxes import BOXES
from warpsmith.synthesis.writing.catalogue.domains.queries.closest import CLOSEST
from warpsmith.synthesis.writing.catalogue.domains.queries.data import INDICES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.queries.faces import FACES
from warpsmith.synthesis.writing.catalogue.domains.queries.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.queries.locals import EXTRAS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.queries.neighbors import NEIGHBORS
from warpsmith.synthesis.writing.catalogue.domains.queries.rays import RAYS
from warpsmith.synthesis.writing.catalogue.domains.queries.textures import TEXTURES
from warpsmith.synthesis.writing.catalogue.domains.queries.volumes import VOLUMES
from warpsmith.synthesis.writing.catalogue.domains.queries.voxels import VOXELS
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "queries",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (*CLOSEST, *RAYS, *FACES, *BOXES, *NEIGHBORS, *TEXTURES, *VOLUMES, *VOXELS),
    LOOPS,
    EXTRAS,
    HELPERS,
    RECORDS,
    WORLD,
)
