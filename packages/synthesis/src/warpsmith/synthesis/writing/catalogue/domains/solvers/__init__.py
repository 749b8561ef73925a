"""Domain `solvers`: sparse products, iterations of linear solvers, small dense systems, optimization, time steps."""

from warpsmith.synthesis.writing.catalogue.domains.solvers.assembly import ASSEMBLY
from warpsmith.synthesis.writing.catalogue.domains.solvers.constraints import CONSTRAINTS
from warpsmith.synthesis.writing.catalogue.domains.solvers.data import INDICES, PARAMETERS, RECORDS, WORLD
from warpsmith.synthesis.writing.catalogue.domains.solvers.dense import DENSE
from warpsmith.synthesis.writing.catalogue.domains.solvers.krylov import KRYLOV
from warpsmith.synthesis.writing.catalogue.domains.solvers.locals import EXTRAS, HELPERS, LOCALS, LOOPS, NAMES
from warpsmith.synthesis.writing.catalogue.domains.solvers.optimization import OPTIMIZATION
from warpsmith.synthesis.writing.catalogue.domains.solvers.products import PRODUCTS
from warpsmith.synthesis.writing.catalogue.domains.solvers.short_data import SHORT_HELPERS, SHORT_PARAMETERS
from warpsmith.synthesis.writing.catalogue.domains.solvers.short_state import SHORT_STATE
from warpsmith.synthesis.writing.catalogue.domains.solvers.short_vectors import SHORT_VECTORS
from warpsmith.synthesis.writing.catalogue.domains.solvers.smoothers import SMOOTHERS
from warpsmith.synthesis.writing.catalogue.domains.solvers.stepping import STEPPING
from warpsmith.synthesis.writing.ideas.parts import Domain

DOMAIN = Domain(
    "solvers",
    (*PARAMETERS, *SHORT_PARAMETERS),
    INDICES,
    NAMES,
    LOCALS,
    (*PRODUCTS, *SMOOTHERS, *KRYLOV, *DENSE, *OPTIMIZATION, *CONSTRAINTS, *STEPPING, *ASSEMBLY, *SHORT_STATE, *SHORT_VECTORS),
    LOOPS,
    EXTRAS,
    (*HELPERS, *SHORT_HELPERS),
    RECORDS,
    WORLD,
)
