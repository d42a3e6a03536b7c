"""JUnit XML, for continuous integration: one test suite for each adapter, one test case for each case."""

from __future__ import annotations

import io

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from harness.model import Status
from harness.results import AdapterResult, CaseInfo, CaseResult, RunResult
from reports.text import adapter_problems, failure_lines, found_text, run_problems, stderr_lines, visible

_ERRORS = (Status.BROKEN, Status.TIMED_OUT)


def junit_xml(result: RunResult) -> bytes:
    """Return the document.

    Broken and timed out are errors; failed and unsupported are failures: nothing is ever "skipped", which would count
    as green. What went wrong outside any case is a test case of its own that errs.
    """
    document = JUnitXml("checkpoint-conformance")
    for suite in [_suite(result, adapter) for adapter in result.adapters]:
        document.add_testsuite(suite)
    problems = run_problems(result)
    if problems:
        suite = TestSuite("run")
        suite.add_testcases([_problem("run", problem) for problem in problems])
        document.add_testsuite(suite)
    for sum_of in ("tests", "failures", "errors", "skipped"):
        setattr(document, sum_of, sum(getattr(suite, sum_of) for suite in document))
    # The library sums times up from cases, and ours are timed as a whole.
    for suite, adapter in zip(document, result.adapters, strict=False):
        suite.time = round(adapter.seconds, 3)
    document.time = round(result.seconds, 3)
    written_out = io.BytesIO()
    document.write(written_out)
    return written_out.getvalue() + b"\n"


def _suite(result: RunResult, adapter: AdapterResult) -> TestSuite:
    name = visible(adapter.name)
    suite = TestSuite(name)
    for key, value in _properties(result, adapter).items():
        suite.add_property(key, visible(value))
    known = {info.id: info for info in result.cases}
    cases = [_case(known[case.id], case, adapter) for case in adapter.cases]
    problems = [_problem(name, problem, adapter.stderr) for problem in adapter_problems(result, adapter)]
    suite.add_testcases(problems + cases)
    return suite


def _properties(result: RunResult, adapter: AdapterResult) -> dict[str, str]:
    properties = {"suite_version": result.suite_version, "language": adapter.language}
    said = adapter.implementation
    if said is not None:
        properties |= {"implementation": said.name, "version": said.version, "runtime": said.runtime}
        properties["locations"] = "true" if said.locations else "false"
    return properties


def _case(info: CaseInfo, case: CaseResult, adapter: AdapterResult) -> TestCase:
    written = TestCase(visible(info.id), classname=visible(f"{adapter.name}.{info.operation}"))
    if case.status is not Status.PASSED:
        first = case.shown[0] if case.shown else None
        message = f"expected {visible(first.expected)}, found {found_text(first)}" if first else case.status.value
        finding = (Error if case.status in _ERRORS else Failure)(message, case.status.value)
        finding.text = "\n".join(failure_lines(info, case, adapter.name, adapter.argument))
        written.result = finding
    return written


def _problem(suite: str, problem: str, stderr: str = "") -> TestCase:
    written = TestCase(f"outside any case: {problem}", classname=suite)
    finding = Error(problem, "trouble")
    finding.text = "\n".join([problem, *stderr_lines(stderr)])
    written.result = finding
    return written
