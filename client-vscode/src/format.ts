// Numbers and the status bar's text, as people read them.

import type { AmountRow, SpreadRow, Status } from "./contract";
import { t } from "./l10n";

type Amount = Pick<AmountRow, "tokens" | "exactness" | "low" | "high">;

/** `174`, `11–18` or, where it isn't exact, `≈174`, `≈11–18`, with the separators of `locale`. */
export function amount(of: Amount, locale: string): string {
  const { tokens, exactness, low, high } = of;
  const about = exactness === "exact" ? "" : "≈";
  return (
    about +
    (isMeasured(of) ? tokens.toLocaleString(locale) : range(low ?? tokens, high ?? tokens, locale))
  );
}

/** As `amount`, and with what an estimate was measured to lie between: `≈174 (204–360)`. */
export function fullAmount(of: Amount, locale: string): string {
  const measured = isMeasured(of) ? ` (${range(of.low ?? 0, of.high ?? 0, locale)})` : "";
  return amount(of, locale) + measured;
}

/** Whether measured ratios make a range that lies above the number; that of branches ends with it. */
function isMeasured({ tokens, low, high }: Amount): boolean {
  return low !== undefined && high !== undefined && high > tokens;
}

/** `1 token`, `11–18 tokens`, `≈174 tokens`. */
export function counted(of: Amount, locale: string): string {
  const text = amount(of, locale);
  return text === "1" ? t("1 token") : t("{0} tokens", text);
}

function range(low: number, high: number, locale: string): string {
  const ends = low === high ? [high] : [low, high];
  return ends.map((end) => end.toLocaleString(locale)).join("–");
}

/** Both together, as sure as the less sure of them. */
export function sum(amounts: readonly Amount[]): Amount {
  const add = (of: (each: Amount) => number) => amounts.reduce((all, each) => all + of(each), 0);
  return {
    tokens: add(({ tokens }) => tokens),
    exactness: amounts.find(({ exactness }) => exactness !== "exact")?.exactness ?? "exact",
    low: add(({ tokens, low }) => low ?? tokens),
    high: add(({ tokens, high }) => high ?? tokens),
  };
}

/** The most that is sent at a time: what is held against a budget. */
export function most({ prompts, tokens, high }: Status): number {
  return prompts ? (prompts.most.high ?? prompts.most.tokens) : (high ?? tokens);
}

/** From the least that a prompt of several has to the most. */
export function spread({ least, most }: SpreadRow): Amount {
  return {
    tokens: most.tokens,
    exactness: least.exactness === "exact" ? most.exactness : least.exactness,
    low: least.low ?? least.tokens,
    high: most.high ?? most.tokens,
  };
}

/** A share of the budget in whole per cent. Rounded down, so that 100 % means reached. */
export function share(tokens: number, budget: number): string {
  return `${Math.floor((100 * tokens) / budget)}%`;
}

/** The status bar's text, without an icon. `selected` is undefined when nothing is selected. */
export function statusText(status: Status, selected: Amount | undefined, locale: string): string {
  const budget = status.budget ? ` (${share(most(status), status.budget)})` : "";
  return `${tokensText(status, selected, locale)}${budget} · ${status.encoding}`;
}

function tokensText(status: Status, selected: Amount | undefined, locale: string): string {
  if (selected) {
    return t("{0} of {1} tokens", amount(selected, locale), amount(status, locale));
  }
  const { prompts } = status;
  return prompts
    ? t("{0} prompts of {1}", prompts.count, counted(spread(prompts), locale))
    : counted(status, locale);
}

/** How far the budget is used up. */
export function pressure(status: Status): "none" | "near" | "over" {
  if (!status.budget) {
    return "none";
  }
  const used = most(status) / status.budget;
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
