import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { canvasStrings } from "../strings/canvas.ts";
import { useCanvas } from "./canvas-context.ts";
import type { CanvasSession } from "./canvas-session.ts";

type Options = {
  onSearch(): void;
  onHelp(): void;
  /** Whether there was something over the canvas, which is closed now. */
  onEscape(): boolean;
  onRefused(sentence: string): void;
};

type Shortcut = (session: CanvasSession, options: Options) => void;

const shortcuts: Readonly<Record<string, Shortcut>> = {
  "mod+z": ({ editor }) => editor.undo(),
  "mod+shift+z": ({ editor }) => editor.redo(),
  "mod+y": ({ editor }) => editor.redo(),
  "mod+a": ({ commands }) => commands.selectAll(),
  "mod+d": ({ commands }) => commands.duplicateSelection(),
  delete: ({ commands }) => commands.removeSelection(),
  backspace: ({ commands }) => commands.removeSelection(),
  escape({ elements }, { onEscape }) {
    if (!onEscape()) elements.select([]);
  },
  f: ({ view }) => view.showAll(),
  c: ({ view }) => view.askConnection(),
  l: ({ commands }) => commands.tidyUp(),
  "/": (_session, { onSearch }) => onSearch(),
  "?": (_session, { onHelp }) => onHelp(),
};

/**
 * Returns what hears the keys at the canvas: they are its own while it has the focus, and nothing pressed in a panel, a
 * field, a menu or a dialog comes there. What is typed into on the canvas itself keeps its keys. The canvas has the focus
 * when it is opened, and gets it when what had it is gone.
 */
export function useCanvasShortcuts(canvasRef: RefObject<HTMLElement | null>, options: Options) {
  const session = useCanvas();
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return;
    session.view.focus = () => canvas.focus({ preventScroll: true });
    if (hasLostFocus()) session.view.focus();
    // The clipboard's events come from where the selected text is, or from nowhere.
    const isElsewhere = () => !canvas.contains(document.activeElement) || isTypedInto(document.activeElement);
    const onCopy = (event: ClipboardEvent) => {
      const text = isElsewhere() || hasSelectedText() ? undefined : session.commands.copySelection();
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", text);
      if (event.type === "cut") session.commands.removeSelection();
    };
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain");
      if (isElsewhere() || !text) return;
      event.preventDefault();
      if (!session.commands.paste(text)) latest.current.onRefused(canvasStrings.canvas.pasteRefused);
    };
    const listeners = { copy: onCopy, cut: onCopy, paste: onPaste };
    for (const [name, listener] of Object.entries(listeners))
      document.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        document.removeEventListener(name, listener as EventListener);
    };
  }, [session, canvasRef]);
  return (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget } = event;
    const shortcut = shortcuts[keyOf(event)];
    // What is drawn elsewhere on the page, as menus are, may still be a part of the canvas to React.
    const isOwn = target instanceof Node && currentTarget.contains(target);
    if (!shortcut || !isOwn || isTypedInto(target) || event.defaultPrevented) return;
    event.preventDefault();
    shortcut(session, latest.current);
    requestAnimationFrame(() => hasLostFocus() && session.view.focus());
  };
}

/** `mod` is ⌘ or Ctrl. Signs such as `?` stand for themselves, whatever it takes to type them. */
function keyOf({ key, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent<HTMLElement>): string {
  if (altKey) return "";
  const name = key.toLowerCase();
  const isMod = metaKey || ctrlKey;
  return `${isMod ? "mod+" : ""}${shiftKey && isMod ? "shift+" : ""}${name}`;
}

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest("input, textarea, select, [contenteditable], [role=dialog], [role=menu]") !== null;
}

/** Whether what had the focus is gone, or nothing had it yet. */
function hasLostFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function hasSelectedText(): boolean {
  return (document.getSelection()?.toString() ?? "") !== "";
}
