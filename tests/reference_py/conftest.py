"""Property tests find the same examples everywhere and are never judged by the clock."""

from hypothesis import settings

settings.register_profile("deterministic", derandomize=True, deadline=None, database=None)
settings.load_profile("deterministic")
