"""`lmdl`: stream coordinates and the two-slot (ping-pong) metadata file of a data stream.

Everything here works on bytes and lengths. All integers are little-endian and unsigned. The source is the coordinate
document: section 1 for the coordinate, section 2 for the slot, section 3 for recovery.
"""

from reference_py.lmdl.commit import Commit, commit
from reference_py.lmdl.coordinate import StreamCoordinate, decode_coordinate, encode_coordinate
from reference_py.lmdl.hash import record_hash
from reference_py.lmdl.recover import Recovered, SlotName, recover
from reference_py.lmdl.slot import Slot, decode_slot, encode_slot

__all__ = [
    "Commit",
    "Recovered",
    "Slot",
    "SlotName",
    "StreamCoordinate",
    "commit",
    "decode_coordinate",
    "decode_slot",
    "encode_coordinate",
    "encode_slot",
    "record_hash",
    "recover",
]
