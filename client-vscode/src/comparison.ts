// A comparison of encodings as a table: its columns, its order, its copy as Markdown.

import type { Comparison, ComparisonRow } from "./contract";
import { amount } from "./format";

export const COLUMNS = [
  "encoding",
  "tokens",
  "difference",
  "characters_per_token",
  "bytes_per_token",
  "tokens_per_word",
] as const;
export type Column = (typeof COLUMNS)[number];

export interface Order {
  readonly column: Column;
  readonly descending: boolean;
}

export interface Row {
  readonly encoding: string;
  readonly active: boolean;
  /** The length of its bar, from 0 to 1. */
  readonly bar: number;
  readonly cells: readonly string[];
}

/** What the page is given to show. */
export interface ComparisonPage {
  readonly caption: string;
  readonly headers: readonly string[];
  readonly order: { readonly column: number; readonly descending: boolean };
  readonly rows: readonly Row[];
}

/** What the page asks for: a header or an encoding was pressed, or it is ready. */
export type ComparisonAction =
  | { readonly kind: "ready" }
  | { readonly kind: "order"; readonly column: number }
  | { readonly kind: "use"; readonly encoding: string };

/** The rows in `order`, with their numbers as people of `locale` write them. */
export function table(comparison: Comparison, order: Order, locale: string): Row[] {
  const active = comparison.rows.find(({ encoding }) => encoding === comparison.encoding);
  const most = Math.max(1, ...comparison.rows.map(({ tokens }) => tokens));
  return [...comparison.rows].sort(by(order)).map((row) => ({
    encoding: row.encoding,
    active: row === active,
    bar: row.tokens / most,
    cells: cells(
      row,
      active,
      row.bounded ? "about" : row === active ? comparison.exactness : "exact",
      locale,
    ),
  }));
}

/** The next order when a column's header is pressed. */
export function pressed(order: Order, column: Column): Order {
  return { column, descending: order.column === column && !order.descending };
}

function by({ column, descending }: Order): (a: ComparisonRow, b: ComparisonRow) => number {
  // The difference to the active encoding orders the rows as their tokens do.
  const key = column === "difference" ? "tokens" : column;
  const sign = descending ? -1 : 1;
  return (a, b) => {
    const [left, right] = [a[key], b[key]];
    const order = left < right ? -1 : left > right ? 1 : 0;
    return sign * order || (a.encoding < b.encoding ? -1 : 1);
  };
}

/** Only the active encoding is one of the document's model, and may be there in another's place. */
function cells(
  row: ComparisonRow,
  active: ComparisonRow | undefined,
  exactness: Comparison["exactness"],
  locale: string,
): string[] {
  const two = (value: number) =>
    value.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return [
    row.encoding,
    amount({ ...row, exactness }, locale),
    difference(row.tokens, active?.tokens, locale),
    two(row.characters_per_token),
    two(row.bytes_per_token),
    two(row.tokens_per_word),
  ];
}

function difference(tokens: number, active: number | undefined, locale: string): string {
  if (!active) {
    return "";
  }
  const options = {
    style: "percent",
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  } as const;
  return (tokens / active - 1).toLocaleString(locale, options);
}

/** The table in Markdown, with numbers to the right. */
export function markdown(headers: readonly string[], rows: readonly Row[]): string {
  // An encoding has the name that somebody gave it.
  const cell = (value: string) => value.replace(/[\\`|<[]/g, "\\$&");
  const line = (values: readonly string[]) => `| ${values.map(cell).join(" | ")} |`;
  const rule = line(headers.map((_, i) => (i === 0 ? ":--" : "--:")));
  return `${[line(headers), rule, ...rows.map(({ cells }) => line(cells))].join("\n")}\n`;
}
