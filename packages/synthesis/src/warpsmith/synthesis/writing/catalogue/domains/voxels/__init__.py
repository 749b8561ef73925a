"""Domain `voxels`: kernels that store to volumes, voxel by voxel; worlds would share the volume, so that none is batched."""

from warpsmith.synthesis.writing.catalogue.domains.queries.data import INDICES, PARAMETERS, RECORDS
from warpsmith.synthesis.writing.catalogue.domains.queries.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.queries.locals import EXTRAS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.voxels.stores import STORES
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain("voxels", PARAMETERS, INDICES, NAMES, LOCALS, STORES, LOOPS, EXTRAS, HELPERS, RECORDS)
