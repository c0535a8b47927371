// The page of the Token Inspector: blocks of tokens, filled when they come into view.

import type { Range, Token } from "../contract";
import { BLOCK, type FromPage, type ToPage, touches, written } from "../inspection";
import { element, host } from "./dom";

const COLOURS = 4;
const NEAR = "600px";

interface Block {
  readonly element: HTMLElement;
  /** The version of the document that it shows or has asked for. */
  asked: number;
  readonly places: Map<HTMLElement, Range>;
}

const texts: Record<string, string> = JSON.parse(document.body.dataset.texts ?? "{}");
const title = element("h1");
const list = element("main", { "aria-label": texts.label ?? "" });
document.body.append(title, list);

let version = 0;
let selection: Range | undefined;
const blocks: Block[] = [];
const seen = new Set<Element>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      seen[isIntersecting ? "add" : "delete"](target);
    }
    askForSeen();
  },
  { root: list, rootMargin: NEAR },
);

const send = (message: FromPage) => host.postMessage(message);

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  switch (data.kind) {
    case "document":
      title.textContent = data.title;
      version = data.version;
      resize(data.blocks);
      renew();
      break;
    case "block":
      fill(data.index, data.version, data.tokens);
      break;
    case "selection":
      selection = data.range;
      blocks.forEach(mark);
      scrollToSelection();
      break;
    case "problem":
      title.textContent = data.message;
      break;
  }
});
send({ kind: "ready" });

function resize(count: number): void {
  for (const { element } of blocks.splice(count)) {
    observer.unobserve(element);
    seen.delete(element);
    element.remove();
  }
  while (blocks.length < count) {
    const section = element("section");
    blocks.push({ element: section, asked: -1, places: new Map() });
    list.append(section);
    observer.observe(section);
  }
}

/** What is shown stays until the new answer is there; the same version can have a new encoding. */
function renew(): void {
  for (const block of blocks) {
    block.asked = -1;
  }
  askForSeen();
}

function askForSeen(): void {
  for (const [index, block] of blocks.entries()) {
    if (seen.has(block.element) && block.asked !== version) {
      block.asked = version;
      send({ kind: "block", index });
    }
  }
}

function fill(index: number, answered: number, tokens: readonly Token[]): void {
  const block = blocks[index];
  if (!block || answered !== version) {
    return;
  }
  block.places.clear();
  block.element.replaceChildren(...tokens.flatMap((token, i) => chip(token, i, block.places)));
  mark(block);
  makeReachable();
}

function chip(token: Token, index: number, places: Block["places"]): HTMLElement[] {
  const text = written(token);
  const name = token.special ? "control" : `token${(index % COLOURS) + 1}`;
  const label = (token.special ? texts.control : texts.token) ?? "";
  const button = element(
    "button",
    {
      class: name,
      tabindex: "-1",
      "aria-label": label.replace("{0}", text).replace("{1}", String(token.id)),
    },
    element("span", {}, text),
    element("small", {}, String(token.id)),
  );
  places.set(button, token.range);
  return token.text?.includes("\n") ? [button, element("br")] : [button];
}

function mark(block: Block): void {
  for (const [button, range] of block.places) {
    button.classList.toggle("selected", selection !== undefined && touches(range, selection));
  }
}

/** To the first selected token, or to the block where it will be. */
function scrollToSelection(): void {
  const block = blocks[Math.floor((selection?.start.line ?? 0) / BLOCK)]?.element;
  const target = list.querySelector(".selected") ?? (block?.hasChildNodes() ? undefined : block);
  target?.scrollIntoView({ block: "nearest" });
}

/** One token of the page can be reached with Tab; the arrow keys go on from there. */
function makeReachable(): void {
  const current = list.querySelector('button[tabindex="0"]') ?? list.querySelector("button");
  current?.setAttribute("tabindex", "0");
}

list.addEventListener("click", (event) => {
  const button = (event.target as Element).closest("button");
  if (button) {
    choose(button);
  }
});

list.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) {
    event.preventDefault();
    const buttons = [...list.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(event.target as HTMLButtonElement) + step];
    next?.focus();
  }
});

list.addEventListener("focusin", ({ target }) => {
  list.querySelector('button[tabindex="0"]')?.setAttribute("tabindex", "-1");
  (target as Element).setAttribute("tabindex", "0");
});

function choose(button: HTMLElement): void {
  const range = blocks.map(({ places }) => places.get(button)).find(Boolean);
  if (range) {
    send({ kind: "select", range });
  }
}
