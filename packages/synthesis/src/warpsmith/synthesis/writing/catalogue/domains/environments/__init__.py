"""Domain `environments`: batched environments of reinforcement learning, from joint control and rewards to resets and games."""

from warpsmith.synthesis.writing.catalogue.domains.environments.automata import AUTOMATA
from warpsmith.synthesis.writing.catalogue.domains.environments.boards import BOARDS
from warpsmith.synthesis.writing.catalogue.domains.environments.control import CONTROL
from warpsmith.synthesis.writing.catalogue.domains.environments.data import INDICES, PARAMETERS, RECORDS
from warpsmith.synthesis.writing.catalogue.domains.environments.episodes import EPISODES
from warpsmith.synthesis.writing.catalogue.domains.environments.observations import OBSERVATIONS
from warpsmith.synthesis.writing.catalogue.domains.environments.operations import OPERATIONS
from warpsmith.synthesis.writing.catalogue.domains.environments.rewards import REWARDS
from warpsmith.synthesis.writing.catalogue.domains.environments.short_control import SHORT_CONTROL
from warpsmith.synthesis.writing.catalogue.domains.environments.short_helpers import SHORT_HELPERS
from warpsmith.synthesis.writing.catalogue.domains.environments.short_integers import SHORT_INTEGERS
from warpsmith.synthesis.writing.catalogue.domains.environments.short_rewards import SHORT_REWARDS
from warpsmith.synthesis.writing.catalogue.domains.environments.values import EXTRAS, HELPERS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "environments",
    PARAMETERS,
    INDICES,
    NAMES,
    LOCALS,
    (
        *AUTOMATA,
        *BOARDS,
        *CONTROL,
        *EPISODES,
        *OBSERVATIONS,
        *OPERATIONS,
        *REWARDS,
        *SHORT_CONTROL,
        *SHORT_INTEGERS,
        *SHORT_REWARDS,
    ),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
)
