"""The vectors in memory: cases, sweeps, pairs, and the trials that they stand for."""

from conformance.suite.errors import SuiteError
from conformance.suite.load import Suite, load_suite
from conformance.suite.model import Entry, VectorCase
from conformance.suite.pairs import Pairs
from conformance.suite.sweep import Sweep

__all__ = ["Entry", "Pairs", "Suite", "SuiteError", "Sweep", "VectorCase", "load_suite"]
