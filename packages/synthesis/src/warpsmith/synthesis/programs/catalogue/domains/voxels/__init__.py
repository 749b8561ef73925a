"""Domain `voxels`: kernels that store to volumes, voxel by voxel; worlds would share the volume, so that none is batched."""

from warpsmith.synthesis.programs.catalogue.domains.queries.data import INDICES, PARAMETERS, RECORDS
from warpsmith.synthesis.programs.catalogue.domains.queries.helpers import HELPERS
from warpsmith.synthesis.programs.catalogue.domains.queries.locals import EXTRAS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.programs.catalogue.domains.voxels.stores import STORES
from warpsmith.synthesis.programs.ideas.parts import Domain

DOMAIN = Domain("voxels", PARAMETERS, INDICES, NAMES, LOCALS, STORES, LOOPS, EXTRAS, HELPERS, RECORDS)
