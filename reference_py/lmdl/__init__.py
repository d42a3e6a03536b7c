"""`lmdl`: stream coordinates and the two-slot (ping-pong) metadata file of a data stream.

All integers are little-endian and unsigned. Everything works on bytes and lengths but `open_meta` and `commit_file`,
which work on real files. The source is the coordinate document: section 1 for the coordinate, section 2 for the slot,
section 3 for recovery.
"""

from reference_py.lmdl.commit import Commit, commit
from reference_py.lmdl.coordinate import StreamCoordinate, decode_coordinate, encode_coordinate
from reference_py.lmdl.disk import Opened, TooManyHashes, commit_file, open_meta
from reference_py.lmdl.hash import record_hash
from reference_py.lmdl.recover import Recovered, SlotName, recover
from reference_py.lmdl.slot import Slot, decode_slot, encode_slot

__all__ = [
    "Commit",
    "Opened",
    "Recovered",
    "Slot",
    "SlotName",
    "StreamCoordinate",
    "TooManyHashes",
    "commit",
    "commit_file",
    "decode_coordinate",
    "decode_slot",
    "encode_coordinate",
    "encode_slot",
    "open_meta",
    "record_hash",
    "recover",
]
