import { useEffect, useRef } from "react";
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

/** The canvas's keys, wherever the focus is but where somebody types or a dialog is open. */
export function useCanvasShortcuts(options: Options): void {
  const session = useCanvas();
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const shortcut = shortcuts[keyOf(event)];
      if (!shortcut || isElsewhere(event.target) || event.defaultPrevented) return;
      event.preventDefault();
      shortcut(session, latest.current);
    };
    const onCopy = (event: ClipboardEvent) => {
      const text = isElsewhere(event.target) || hasSelectedText() ? undefined : session.commands.copySelection();
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", text);
      if (event.type === "cut") session.commands.removeSelection();
    };
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain");
      if (isElsewhere(event.target) || !text) return;
      event.preventDefault();
      if (!session.commands.paste(text)) latest.current.onRefused(canvasStrings.canvas.pasteRefused);
    };
    const listeners = { keydown: onKey, copy: onCopy, cut: onCopy, paste: onPaste };
    for (const [name, listener] of Object.entries(listeners))
      document.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        document.removeEventListener(name, listener as EventListener);
    };
  }, [session]);
}

/** `mod` is ⌘ or Ctrl. Signs such as `?` stand for themselves, whatever it takes to type them. */
function keyOf({ key, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent): string {
  if (altKey) return "";
  const name = key.toLowerCase();
  const isMod = metaKey || ctrlKey;
  return `${isMod ? "mod+" : ""}${shiftKey && isMod ? "shift+" : ""}${name}`;
}

function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest("input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]") !== null;
}

function hasSelectedText(): boolean {
  return (document.getSelection()?.toString() ?? "") !== "";
}
