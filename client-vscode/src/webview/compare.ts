// The page of the comparison: one table, redrawn in place.

import type { ComparisonAction, ComparisonPage, Row } from "../comparison";
import { element, host } from "./dom";

const send = (action: ComparisonAction) => host.postMessage(action);

const caption = element("caption", { "aria-live": "polite" });
const head = element("tr");
const body = element("tbody");
document.body.append(element("table", {}, caption, element("thead", {}, head), body));

window.addEventListener("message", ({ data }: MessageEvent<ComparisonPage>) => {
  const focused = document.activeElement?.id;
  caption.textContent = data.caption;
  head.replaceChildren(...(data.rows.length > 0 ? data.headers.map(header(data.order)) : []));
  body.replaceChildren(...data.rows.map(row));
  // The focus stays on what the user has pressed, though the cell is a new one.
  document.getElementById(focused ?? "")?.focus();
});
send({ kind: "ready" });

function header({ column, descending }: ComparisonPage["order"]) {
  return (text: string, index: number) => {
    const sort = index !== column ? "none" : descending ? "descending" : "ascending";
    const button = element("button", { id: `column-${index}` }, text);
    button.addEventListener("click", () => send({ kind: "order", column: index }));
    return element("th", { scope: "col", "aria-sort": sort }, button);
  };
}

function row({ encoding, active, bar, cells }: Row): HTMLElement {
  const button = element("button", { id: `use-${encoding}` }, encoding);
  button.addEventListener("click", () => send({ kind: "use", encoding }));
  const [, tokens = "", ...others] = cells;
  const current: Record<string, string> = active ? { "aria-current": "true" } : {};
  return element(
    "tr",
    current,
    element("th", { scope: "row" }, button),
    element("td", {}, tokens, meter(bar)),
    ...others.map((cell) => element("td", {}, cell)),
  );
}

/** A bar that says nothing to a screen reader: the number beside it does. */
function meter(value: number): Element {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  rect.setAttribute("width", `${100 * value}%`);
  rect.setAttribute("height", "100%");
  svg.append(rect);
  return svg;
}
