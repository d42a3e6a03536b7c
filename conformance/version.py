"""The one place that holds the suite's version."""

SUITE_VERSION = "1.0.0"
"""A changed or removed case raises the major number, an added one the minor: ``conformance vectors build`` insists."""
