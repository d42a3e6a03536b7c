"""What is recorded of the mutation runs belongs to the vectors as they are."""

import pytest

from mutants.explained import load_explained
from mutants.report import PAGE, load_recorded, with_table
from mutants.scope import LANGUAGES, vectors_digest

RECORDED = {report["language"]: report for report in load_recorded()}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language in RECORDED])
def test_complete_record_is_of_these_vectors(language: str) -> None:
    report = RECORDED[language]
    assert report["complete"] == (report["counts"]["not_judged"] == 0)
    if report["complete"]:
        assert report["vectors"] == vectors_digest(), (
            f"reports/mutation/{language}.json is of other vectors; run `make mutants LANGUAGE={language}`, "
            "which asks only what has changed"
        )


def test_page_has_the_table_of_the_records() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page, load_recorded()) == page


def test_every_explained_mutant_has_survived() -> None:
    explained = [(entry.language, name) for entry in load_explained() for name in entry.mutants]
    recorded = {(language, name) for language, report in RECORDED.items() for name in report["explained"]}
    complete = {language for language, report in RECORDED.items() if report["complete"]}
    stale = [
        (language, name) for language, name in explained if language in complete and (language, name) not in recorded
    ]
    assert not stale, f"take these out of mutants/equivalent.toml, or run `make mutants`: {stale}"
