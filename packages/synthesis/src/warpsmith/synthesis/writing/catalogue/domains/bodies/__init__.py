"""Domain `bodies`: rigid and articulated bodies with joints, drives, actuators and sensors."""

from warpsmith.synthesis.writing.catalogue.domains.bodies.actuation import ACTUATION
from warpsmith.synthesis.writing.catalogue.domains.bodies.composite import COMPOSITE
from warpsmith.synthesis.writing.catalogue.domains.bodies.data import INDICES, NAMES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.bodies.dynamics import DYNAMICS
from warpsmith.synthesis.writing.catalogue.domains.bodies.helpers import EXTRAS, HELPERS, LOCALS, LOOPS
from warpsmith.synthesis.writing.catalogue.domains.bodies.joints import JOINTS
from warpsmith.synthesis.writing.catalogue.domains.bodies.kinematics import KINEMATICS
from warpsmith.synthesis.writing.catalogue.domains.bodies.short_data import SHORT_HELPERS, SHORT_PARAMETERS
from warpsmith.synthesis.writing.catalogue.domains.bodies.short_motion import SHORT_MOTION
from warpsmith.synthesis.writing.catalogue.domains.bodies.short_state import SHORT_STATE
from warpsmith.synthesis.writing.catalogue.domains.bodies.state import STATE
from warpsmith.synthesis.writing.catalogue.domains.bodies.topology import TOPOLOGY
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "bodies",
    (*PARAMETERS, *SHORT_PARAMETERS),
    INDICES,
    NAMES,
    LOCALS,
    (*DYNAMICS, *KINEMATICS, *JOINTS, *ACTUATION, *COMPOSITE, *STATE, *TOPOLOGY, *SHORT_STATE, *SHORT_MOTION),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
