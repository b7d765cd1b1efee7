"""A Slurm cluster of one node, for tests: munged, slurmctld and slurmd on loopback, with everything
they write in one directory. They are plain children of the test and end with it."""
from __future__ import annotations

import ctypes
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
from typing import Callable

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
_PATH = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"


def missing_programs() -> list[str]:
    return [name for name in PROGRAMS if shutil.which(name, path=_PATH) is None]


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds:g} s")
        time.sleep(0.1)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class SlurmCluster:
    """To be used in a `with` statement; `environment` is what clients need to find it."""

    def __init__(self, directory: pathlib.Path):
        self._directory = directory
        self._daemons: list[tuple[str, subprocess.Popen[bytes]]] = []
        self.environment = dict(os.environ, PATH=_PATH,
                                SLURM_CONF=str(directory / "slurm.conf"))

    def __enter__(self) -> SlurmCluster:
        try:
            self._start_munge()
            self._write_configuration()
            self._start("slurmctld", "-D")
            self._start("slurmd", "-D")
            wait_until(self._is_idle, 40, "the node is idle")
        except BaseException:
            logs = self.logs()
            self.stop()
            print(logs)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _start(self, program: str, *arguments: str) -> None:
        log = open(self._directory / f"{program}.out", "wb")
        path = shutil.which(program, path=_PATH)
        assert path is not None
        self._daemons.append((program, subprocess.Popen(
            [path, *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, preexec_fn=_end_with_parent)))
        log.close()

    def _start_munge(self) -> None:
        key = self._directory / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self._socket = self._directory / "munge.socket"
        self._start("munged", "--foreground", "--force", f"--key-file={key}",
                    f"--socket={self._socket}", f"--pid-file={self._directory}/munged.pid",
                    f"--seed-file={self._directory}/munged.seed", "--num-threads=2")
        wait_until(self._socket.exists, 10, "munged listens")

    def _write_configuration(self) -> None:
        for name in ("state", "spool"):
            (self._directory / name).mkdir()
        host = socket.gethostname().partition(".")[0]
        control_port, node_port = _free_ports(2)
        user = getpass.getuser()
        (self._directory / "slurm.conf").write_text(f"""\
ClusterName=carl-test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={self._socket}
CredType=cred/munge
StateSaveLocation={self._directory}/state
SlurmdSpoolDir={self._directory}/spool
SlurmctldPidFile={self._directory}/slurmctld.pid
SlurmdPidFile={self._directory}/slurmd.pid
SlurmctldLogFile={self._directory}/slurmctld.log
SlurmdLogFile={self._directory}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
SlurmdParameters=config_overrides
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
MaxArraySize=4
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=8000 State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")

    def call(self, *command: str) -> str:
        return subprocess.run(command, env=self.environment, capture_output=True, text=True,
                              check=False, timeout=20).stdout

    def _is_idle(self) -> bool:
        for program, daemon in self._daemons:
            if daemon.poll() is not None:
                raise RuntimeError(f"{program} ended with status {daemon.returncode}")
        return "idle" in self.call("sinfo", "--noheader", "--format=%t")

    def wait_for_jobs(self, seconds: float) -> None:
        wait_until(lambda: not self.call("squeue", "--noheader").strip(), seconds,
                   "all jobs have ended")

    def logs(self) -> str:
        return "\n".join(f"--- {path.name}\n{path.read_text(errors='replace')[-3000:]}"
                         for path in sorted(self._directory.glob("*.*"))
                         if path.suffix in (".log", ".out"))

    def stop(self) -> None:
        """In the reverse order of starting, and by force where asking does not help."""
        if any(name == "slurmctld" and d.poll() is None for name, d in self._daemons):
            subprocess.run(["scancel", f"--user={getpass.getuser()}"], env=self.environment,
                           capture_output=True, check=False, timeout=20)
        for _, daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self._daemons.clear()


def started_cluster(enter: Callable[[SlurmCluster], SlurmCluster], folder: pathlib.Path) -> SlurmCluster:
    """Entered by `enter`, as a test does with contexts; in a folder of its own within this one."""
    last: Exception = RuntimeError()
    for attempt in range(3):
        place = folder / f"cluster{attempt}"
        place.mkdir(mode=0o700)
        try:
            return enter(SlurmCluster(place))
        except (RuntimeError, TimeoutError) as error:
            last = error  # somebody else may have taken the port in between
    raise last
