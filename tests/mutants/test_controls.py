"""Every planted mistake is caught, by the case that its patch names."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.suite.load import Suite
from mutants.controls import Control, load_controls, planted
from mutants.judge import Fate, put_to
from mutants.workshop import Workshop

LANGUAGES = ("python", "rust", "typescript")
CONTROLS = {language: load_controls(Path(__file__).parent / language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_copy_without_a_mistake_passes_what_catches_the_mistakes(
    language: str, suite: Suite, workshop: Callable[[str], Workshop]
) -> None:
    copy = workshop(language)
    copy.build()
    ids = sorted({case for control in CONTROLS[language] for case in control.cases})
    finding = put_to(copy.adapter(), [question for case in ids for question in suite.case(case).questions()])
    assert finding.fate is Fate.SURVIVED, finding


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_at_least_a_dozen_controls(language: str) -> None:
    assert len(CONTROLS[language]) >= 12


@pytest.mark.parametrize(
    ("language", "control"),
    [
        pytest.param(language, control, id=control.patch.name.removesuffix(".patch"))
        for language, controls in CONTROLS.items()
        for control in controls
    ],
)
def test_planted_mistake_is_caught_by_name(
    language: str, control: Control, suite: Suite, workshop: Callable[[str], Workshop]
) -> None:
    copy = workshop(language)
    with planted(copy, control.patch):
        copy.build()
        found = {case: put_to(copy.adapter(), suite.case(case).questions()) for case in control.cases}
    missed = [case for case, finding in found.items() if finding.fate is not Fate.KILLED]
    assert not missed, f"{control.patch.preamble}\nis not caught by {missed}: {found}"
