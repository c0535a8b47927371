"""`costly-json` on texts that it reports, and on texts that it leaves alone."""

import json

from .tables import in_chat, table

JSON_TABLE = """[
  {"name": "Zürich", "people": 436332, "lake": true, "mayor": null},
  {
    "name": "Genève",
    "people": 209061,
    "lake": true,
    "mayor": null
  },
  {
    "name": "Bern",
    "people": 137995,
    "lake": false,
    "mayor": null
  }
]"""
MINIFIED = json.dumps(json.loads(JSON_TABLE), ensure_ascii=False, separators=(",", ":"))
LONG_STRING = json.dumps([*({"n": n} for n in range(60)), {"n": "a" * 9000}], indent=2)
LONG_STRING_MINIFIED = json.dumps(json.loads(LONG_STRING), separators=(",", ":"))

test_rows = table(
    "costly-json",
    (f"Look:\n⟦{JSON_TABLE}⟧\nEnd.", f"Look:\n{MINIFIED}\nEnd."),
    (f"Data: ⟦{JSON_TABLE}⟧", f"Data: {MINIFIED}"),
    (in_chat(f"⟦{JSON_TABLE}⟧"), in_chat(MINIFIED), "x.messages.json"),
    (f"⟦{LONG_STRING}⟧", LONG_STRING_MINIFIED),
    '{"a":' + " " * 40 + "1}",
    json.dumps({f"key {n}": "word " * 40 for n in range(12)}, indent=2),
    MINIFIED,
    json.dumps({"a": [1, 2, 3], "b": {"c": "d e f"}}),
    "[not json] {neither: this} [1, 2\n{",
    '{"a": ' * 3000,
    f"```python\nsales = {JSON_TABLE}\n```",
    f"```ts\n{JSON_TABLE}\n```",
    f"rows = {JSON_TABLE}",
    f"return {JSON_TABLE}",
    (f"Data: ⟦{JSON_TABLE}⟧", f"Data: {MINIFIED}"),
    (f"```\n⟦{JSON_TABLE}⟧\n```", f"```\n{MINIFIED}\n```"),
)
