"""`unused-input` on texts that it reports, and on texts that it leaves alone."""

from .tables import PROMPTY, table

test_rows = table(
    "unused-input",
    (
        "---\ninputs:\n  city: {type: string}\n  ⟦unit⟧: {type: string}\n---\nuser:\n{{city}}",
        None,
        "x.prompty",
    ),
    (PROMPTY + "{% if unit %}{{city}}{% endif %}", None, "x.prompty"),
    (PROMPTY + "{{city}}{% include 'more.md' %}", None, "x.prompty"),
    ("Nothing declared", None, "x.prompty"),
    (PROMPTY + "{{city}} {% if city %}", None, "x.prompty"),
    (
        "---\ninputSchema:\n  properties:\n  - {name: thread, kind: thread}\n"
        "  - {name: ⟦extra⟧, kind: string}\n---\nuser:\nHi\n",
        None,
        "x.prompty",
    ),
)
