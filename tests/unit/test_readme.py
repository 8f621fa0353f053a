"""The README: its tables are the code's, and what it names exists.

Knows the README as text. That its examples run is shown by an integration test.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pairl.rules import checks, find_rule

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_tables_are_as_the_code_says() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "reference", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!https?:|#)([^)#]+)", README))))
def test_links_to_files_lead_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


@pytest.mark.parametrize("anchor", sorted(set(re.findall(r"\]\(#([^)]+)\)", README))))
def test_links_within_the_page_lead_somewhere(anchor: str) -> None:
    titles = re.findall(r"^#+ (.+)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    assert anchor in anchors


def test_diagnostic_codes_in_the_text_exist() -> None:
    named = set(re.findall(r"\b((?:V\d+|HDR|SYN|SES)/[a-z0-9-]+)\b", README))
    assert named
    assert named <= set(checks())


def test_rules_in_the_text_exist() -> None:
    assert [code for code in set(re.findall(r"\bV\d+\b", README)) if find_rule(code) is None] == []
