"""What is made of the product is what `make generate` writes."""

from __future__ import annotations

from scripts.generate.__main__ import ROOT, stale


def test_nothing_generated_is_out_of_date() -> None:
    names = [str(path.relative_to(ROOT)) for path in stale()]
    assert not names, f"make generate would change {', '.join(names)}"
