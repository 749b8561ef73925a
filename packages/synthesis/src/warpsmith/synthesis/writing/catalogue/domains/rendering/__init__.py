"""Domain `rendering`: cameras, rays, distances, shading, textures, images, splats, visibility."""

from warpsmith.synthesis.writing.catalogue.domains.rendering.buffers import BUFFERS
from warpsmith.synthesis.writing.catalogue.domains.rendering.cameras import CAMERAS
from warpsmith.synthesis.writing.catalogue.domains.rendering.data import INDICES, NAMES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.rendering.distances import DISTANCES
from warpsmith.synthesis.writing.catalogue.domains.rendering.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.rendering.images import IMAGES
from warpsmith.synthesis.writing.catalogue.domains.rendering.intersections import INTERSECTIONS
from warpsmith.synthesis.writing.catalogue.domains.rendering.locals import EXTRAS, LOCALS, LOOPS
from warpsmith.synthesis.writing.catalogue.domains.rendering.shading import SHADING
from warpsmith.synthesis.writing.catalogue.domains.rendering.short_buffers import SHORT_BUFFERS
from warpsmith.synthesis.writing.catalogue.domains.rendering.short_shading import SHORT_SHADING
from warpsmith.synthesis.writing.catalogue.domains.rendering.textures import TEXTURES
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "rendering",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (*CAMERAS, *INTERSECTIONS, *DISTANCES, *SHADING, *TEXTURES, *IMAGES, *BUFFERS, *SHORT_BUFFERS, *SHORT_SHADING),
    LOOPS,
    EXTRAS,
    HELPERS,
    RECORDS,
    WORLD,
)
