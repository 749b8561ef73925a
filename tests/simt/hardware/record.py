"""Record the results of every operation on the first CUDA device: ``python -m simt.hardware.record DRIVER``.

The command needs PYTHONPATH=tests:tests/helpers; DRIVER is the version that nvidia-smi prints.
"""

from __future__ import annotations

import json
import sys

from simt.hardware.operation_results import RECORD, Results, by_device, by_machine, digest, packed
from warpsmith.gpu_checks.cuda_driver import device_name
from warpsmith.simt.operations import table


def write(results: Results, device: str, driver: str) -> None:
    """Write the record: a digest of results that the machine equals, the results themselves elsewhere."""
    digests = {opcode: digest(opcode, found) for opcode, found in results.items()}
    others = {opcode: packed(results[opcode]) for opcode in results if digests[opcode] != digest(opcode, by_machine(opcode))}
    kept = {opcode: value for opcode, value in digests.items() if opcode not in others}
    content = {"device": device, "driver": driver, "digests": kept, "approximate": others}
    RECORD.write_text(json.dumps(content, indent=0) + "\n")


if __name__ == "__main__":
    write(by_device(table.opcodes()), device_name(), sys.argv[1])
