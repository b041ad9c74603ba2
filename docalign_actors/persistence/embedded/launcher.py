"""Turns itself into a PostgreSQL program that ends when its owner ends.

Run as `python -I -S launcher.py OWNER_PID NAMESPACE PROGRAM [ARGUMENT…]` in a process of its own, because what is set
here must be set between fork and exec, and Python code between the two is not safe in a process with threads.
The signal at the owner's death follows the *thread* that forked: fork from one that lives as long as the owner.
"""

import ctypes
import os
import signal
import sys

_CLONE_NEWUSER = 0x10000000
_PR_SET_PDEATHSIG = 1
_NOBODY = 65534

OWNER_GONE = 90
NO_NAMESPACE = 91
NOT_EXECUTABLE = 92


def enter_namespace(libc: ctypes.CDLL) -> None:
    """PostgreSQL refuses to be root: in a user namespace it is nobody, while its files belong to root outside."""
    uid, gid = os.geteuid(), os.getegid()
    if libc.unshare(_CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{_NOBODY} {uid} 1"),
        ("gid_map", f"{_NOBODY} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def main(arguments: list[str]) -> int:
    owner, namespace, *command = arguments
    if sys.platform.startswith("linux"):
        libc = ctypes.CDLL(None, use_errno=True)
        if namespace == "1":
            try:
                enter_namespace(libc)
            except OSError as error:
                print(f"no user namespace: {error}", file=sys.stderr)
                return NO_NAMESPACE
        # After the namespace: a change of credentials clears it. SIGINT is PostgreSQL's fast shutdown.
        libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGINT), 0, 0, 0)
        if os.getppid() != int(owner):  # it died before the signal was asked for
            return OWNER_GONE
    try:
        os.execv(command[0], command)  # noqa: S606 - no shell is wanted
    except OSError as error:
        print(f"{command[0]}: {error}", file=sys.stderr)
        return NOT_EXECUTABLE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
