import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { canvasStrings } from "../strings/canvas.ts";
import { useCanvas } from "./canvas-context.ts";
import type { CanvasSession } from "./canvas-session.ts";

type Options = {
  onSearch(): void;
  onHelp(): void;
  /** Returns whether an overlay was open; it is closed now. */
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
 * Returns the key handler of the canvas. It applies only while the canvas has the focus: keys pressed in a panel, a
 * field, a menu or a dialog do not reach it, and text fields on the canvas keep their keys. The canvas takes the focus
 * when it opens and when the focused element disappears.
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
    // Clipboard events are dispatched where the selected text is, or nowhere.
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
    // React may treat elements drawn elsewhere on the page, such as menus, as part of the canvas.
    const isOwn = target instanceof Node && currentTarget.contains(target);
    if (!shortcut || !isOwn || isTypedInto(target) || event.defaultPrevented) return;
    event.preventDefault();
    shortcut(session, latest.current);
    requestAnimationFrame(() => hasLostFocus() && session.view.focus());
  };
}

/** `mod` is ⌘ or Ctrl. Characters such as `?` match regardless of the keys needed to type them. */
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

/** Whether nothing has the focus, or the element that had it is gone. */
function hasLostFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function hasSelectedText(): boolean {
  return (document.getSelection()?.toString() ?? "") !== "";
}
