"""Started as a program: becomes the adapter after two preparations that outlive exec.

SIGXFSZ is ignored, so that a write cut short by a file size limit is an answer of the system and no death; and Linux's
Yama, where it is on, is told that a process which is no ancestor may trace this one.
"""

import contextlib
import ctypes
import os
import signal
import sys

_PR_SET_PTRACER = 0x59616D61
_PR_SET_PTRACER_ANY = ctypes.c_ulong(-1)

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
# Where there is no Yama the call fails, and is not needed.
with contextlib.suppress(OSError, AttributeError):
    ctypes.CDLL(None).prctl(_PR_SET_PTRACER, _PR_SET_PTRACER_ANY, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606 - becoming what adapter.toml names is the purpose
