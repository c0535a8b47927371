// Which of the counts at the lines' ends an edit leaves as they are.

import type { Range } from "./contract";
import { compare } from "./positions";

/** An edit as VS Code tells it: in lines from 0 and UTF-16 units of the text before it. */
export interface Change {
  readonly range: Range;
  readonly text: string;
}

/** What stands at the end of a line: its tokens, `tokens · tokens so far` or `role: tokens`. */
export interface Labelled {
  readonly label: string;
}

/**
 * What can still stand at the lines' ends after edits of one text, by the lines' new numbers.
 * `lineAt` has the lines of the new text, and undefined behind its end.
 *
 * A token reaches over a line's end with white space, and with the slashes that newer encodings
 * take along with a line end. So a neighbour's count stays where anything else stands between it
 * and the edit. What an edit changes farther away, such as a quotation mark in YAML, only the
 * server knows.
 */
export function surviving<T extends Labelled>(
  labels: ReadonlyMap<number, T>,
  changes: readonly Change[],
  lineAt: (line: number) => string | undefined,
): Map<number, T> {
  const doubtful = doubtfulLines(changes, lineAt);
  const first = Math.min(...doubtful);
  const left = new Map<number, T>();
  for (const [line, labelled] of labels) {
    const now = movedLine(line, changes);
    if (now !== undefined && !doubtful.has(now) && !dependsOnAll(labelled.label, now >= first)) {
      left.set(now, labelled);
    }
  }
  return left;
}

/** Where a line is after the changes; undefined when they have touched it. */
function movedLine(line: number, changes: readonly Change[]): number | undefined {
  let moved = line;
  for (const { range, text } of changes) {
    if (range.start.line <= line && line <= range.end.line) {
      return undefined;
    }
    if (range.end.line < line) {
      moved += lineEnds(text) - (range.end.line - range.start.line);
    }
  }
  return moved;
}

/** The lines of the new text whose tokens the changes may have changed. */
function doubtfulLines(
  changes: readonly Change[],
  lineAt: (line: number) => string | undefined,
): Set<number> {
  const doubtful = new Set<number>();
  let shift = 0;
  const inOrder = [...changes].sort((a, b) => compare(a.range.start, b.range.start));
  for (const { range, text } of inOrder) {
    const start = range.start.line + shift;
    const end = start + lineEnds(text);
    for (let line = start; line <= end; line++) {
      doubtful.add(line);
    }
    let between = lineAt(start)?.slice(0, range.start.character);
    for (let line = start - 1; isThin(between); line--) {
      doubtful.add(line);
      between = lineAt(line);
    }
    for (let line = end + 1; /^(?:[\s/]|$)/.test(lineAt(line) ?? "x"); line++) {
      doubtful.add(line);
      if (!isThin(lineAt(line))) {
        break;
      }
    }
    shift += lineEnds(text) - (range.end.line - range.start.line);
  }
  return doubtful;
}

/** Whether a token may reach over all of a piece of a line. */
function isThin(text: string | undefined): boolean {
  return text !== undefined && /^[\s/]*$/.test(text);
}

/** Whether a label says more than its own line's tokens, so that an edit elsewhere changes it. */
function dependsOnAll(label: string, isBehind: boolean): boolean {
  return label.includes(": ") || (isBehind && label.includes(" · "));
}

function lineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
