"""`undefined-placeholder` on texts that it reports, and on texts that it leaves alone."""

from .tables import PROMPTY, table

test_rows = table(
    "undefined-placeholder",
    (PROMPTY + "In ⟦{{ctiy}}⟧, {{city}}, {{unit}}?", None, "x.prompty"),
    (PROMPTY + "⟦{% if rain %}⟧{{city}}{% endif %} {{unit}}", None, "x.prompty"),
    (PROMPTY + "{% for u in unit %}{{u}}{{loop.index}}{% endfor %}{{city}}", None, "x.prompty"),
    ("user:\n{{anything}}", None, "x.prompty"),
    ("{{anything}}", None, "x.j2"),
    (PROMPTY + "{{city}} {{unit}} ⟦{{town}}⟧ {% if city %} {{village}}", None, "x.prompty"),
    ("---\ninputs:\n  city: [\n---\nuser:\n{{town}}", None, "x.prompty"),
)
