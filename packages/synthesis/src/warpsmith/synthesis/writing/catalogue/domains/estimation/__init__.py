"""Domain `estimation`: filters, tracks, calibration, frames, tensors and small linear systems."""

from warpsmith.synthesis.writing.catalogue.domains.estimation.data import INDICES, PARAMETERS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.estimation.filters import FILTERS
from warpsmith.synthesis.writing.catalogue.domains.estimation.fitting import FITTING
from warpsmith.synthesis.writing.catalogue.domains.estimation.frames import FRAMES
from warpsmith.synthesis.writing.catalogue.domains.estimation.helpers import HELPERS
from warpsmith.synthesis.writing.catalogue.domains.estimation.inertial import INERTIAL
from warpsmith.synthesis.writing.catalogue.domains.estimation.locals import EXTRAS, LOCALS, LOOPS
from warpsmith.synthesis.writing.catalogue.domains.estimation.names import NAMES, RECORDS
from warpsmith.synthesis.writing.catalogue.domains.estimation.tensors import TENSORS
from warpsmith.synthesis.writing.catalogue.domains.estimation.tracks import TRACKS
from warpsmith.synthesis.writing.catalogue.domains.estimation.updates import UPDATES
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "estimation",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (*FILTERS, *UPDATES, *TENSORS, *FRAMES, *FITTING, *INERTIAL, *TRACKS),
    LOOPS,
    EXTRAS,
    HELPERS,
    RECORDS,
    WORLD,
)
