"""`pfc`: a checkpoint bundle, a directory with `metadata.json` and one raw float64 file a field.

The metadata is read and written in one canonical form, compared with what a program is about to load, fields are put
together from bricks and taken apart, and a bundle on disk is opened, or made to appear whole or not at all. The source
is the bundle document: On-disk layout and Atomicity protocol.
"""

from reference_py.pfc.bricks import Box, Part, assemble, extract
from reference_py.pfc.bundle import Bundle, FieldFile, open_bundle
from reference_py.pfc.canonical import encode_metadata
from reference_py.pfc.metadata import decode_metadata
from reference_py.pfc.publication import FieldData, FieldWriter, publish, write_field
from reference_py.pfc.restore import RequestedCondition, RestoreRequest, check_restore
from reference_py.pfc.values import BoundaryCondition, Decomposition, Domain, Metadata

__all__ = [
    "BoundaryCondition",
    "Box",
    "Bundle",
    "Decomposition",
    "Domain",
    "FieldData",
    "FieldFile",
    "FieldWriter",
    "Metadata",
    "Part",
    "RequestedCondition",
    "RestoreRequest",
    "assemble",
    "check_restore",
    "decode_metadata",
    "encode_metadata",
    "extract",
    "open_bundle",
    "publish",
    "write_field",
]
