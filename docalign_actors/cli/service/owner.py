"""A command given as root works as the user who owns the data directory, so that it leaves no file there which the service
itself could not open."""

from __future__ import annotations

import os
import pwd
from pathlib import Path


def work_as_owner(data_dir: Path) -> bool:
    """Gives root's rights up for those of the directory's owner, for good; whether it did."""
    if os.geteuid() != 0:
        return False
    try:
        owner = data_dir.stat()
    except OSError:  # not made yet, or not to be read: said when it is used
        return False
    if owner.st_uid == 0:
        return False
    try:
        name = pwd.getpwuid(owner.st_uid).pw_name
        os.initgroups(name, owner.st_gid)
        os.environ["USER"] = os.environ["LOGNAME"] = name
    except KeyError:
        os.setgroups([])
    os.setgid(owner.st_gid)
    os.setuid(owner.st_uid)
    os.environ["HOME"] = str(data_dir)  # root's own settings of git are closed to this user
    return True
