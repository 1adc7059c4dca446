"""Runs the program with a limit on CPU time."""
import os
import signal
import subprocess
import time
from pathlib import Path

EXIT_WORDS = {0: "finished", 2: "refused", 3: "system", 4: "not solved", 5: "bug", 130: "interrupted"}


def launch(command, folder, limit):
    """Runs a command; after `limit` seconds of CPU time it is asked to stop, and killed soon after."""
    asked, used = False, 0.0
    with open(folder / "stdout.txt", "w") as out, open(folder / "stderr.txt", "w") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environment())
        while process.poll() is None:
            used = max(used, processor_seconds(process.pid))
            if used > limit and not asked:
                process.send_signal(signal.SIGTERM)
                asked = True
            if used > 1.25 * limit:
                process.kill()
            time.sleep(0.02)
    code = process.returncode
    text = (folder / "stderr.txt").read_text(errors="replace").strip()
    outcome = "time" if asked else EXIT_WORDS.get(code, f"crashed (signal {-code})" if code < 0 else f"exit {code}")
    return {"outcome": outcome, "exit": code, "said": text, "used": used}


def environment():
    return dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def processor_seconds(pid):
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
