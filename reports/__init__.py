"""The result of a run turned into what people read: terminal, JSON, JUnit, Markdown and HTML.

Everything here is made from :class:`harness.results.RunResult` alone, so a report can be made again from its JSON.
"""
