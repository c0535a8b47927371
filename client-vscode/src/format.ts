// Numbers and the status bar's text, as people read them.

import type { Status } from "./contract";
import { t } from "./l10n";

/** A count with the separators of `locale`; an estimate is marked with `~`. */
export function count(tokens: number, exact: boolean, locale: string): string {
  return (exact ? "" : "~") + tokens.toLocaleString(locale);
}

/** A share of the budget in whole per cent. Rounded down, so that 100 % means reached. */
export function share(tokens: number, budget: number): string {
  return `${Math.floor((100 * tokens) / budget)}%`;
}

/** The status bar's text, without an icon. `selected` is undefined when nothing is selected. */
export function statusText(status: Status, selected: number | undefined, locale: string): string {
  const total = count(status.tokens, status.exact, locale);
  const tokens =
    selected === undefined
      ? t("{0} tokens", total)
      : t("{0} of {1} tokens", count(selected, status.exact, locale), total);
  const budget = status.budget ? ` (${share(status.tokens, status.budget)})` : "";
  return `${tokens}${budget} · ${status.encoding}`;
}

/** How far the budget is used up. */
export function pressure(status: Status): "none" | "near" | "over" {
  if (!status.budget) {
    return "none";
  }
  const used = status.tokens / status.budget;
  return used > 1 ? "over" : used >= 0.9 ? "near" : "none";
}

/** A budget as people write it (`4000`, `128k`, `1M`); null when empty, undefined when it is none. */
export function budget(text: string): number | null | undefined {
  if (text.trim() === "") {
    return null;
  }
  const match = text.trim().match(/^(\d+(?:\.\d+)?)\s*([kKmM]?)$/);
  const factor = { k: 1000, m: 1_000_000, "": 1 }[match?.[2]?.toLowerCase() ?? ""] ?? 1;
  const tokens = Number(match?.[1]) * factor;
  return Number.isInteger(tokens) && tokens > 0 ? tokens : undefined;
}
