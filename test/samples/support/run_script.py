"""Runs scripts one after the other in one process, each with variables of its own, and reports how each ended."""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback

for order in sys.stdin:
    script = json.loads(order)
    for name in [name for name in os.environ if name.startswith("COMPLIANCE_")]:
        del os.environ[name]
    os.environ.update(script["variables"])
    failure = None
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            runpy.run_path(script["path"], run_name="__main__")
    except BaseException:
        failure = traceback.format_exc()
    print(json.dumps({"output": output.getvalue(), "failure": failure}), flush=True)
