import { useLocalStorage } from "@mantine/hooks";
import type { KeyboardEvent, PointerEvent } from "react";
import { canvasStrings } from "../../strings.ts";
import classes from "./resize-handle.module.css";

/** Of the side panel, in pixels. */
const widths = { least: 360, most: 720, ofWindow: 0.25, mostAtFirst: 480, step: 16 } as const;

/** The width of the side panel, remembered in this browser. At first about a quarter of the window. */
export function usePanelWidth() {
  const atFirst = clamp(Math.round(window.innerWidth * widths.ofWindow), widths.mostAtFirst);
  const [stored, setStored] = useLocalStorage<number | null>({
    key: "weft.side-panel",
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const width = typeof stored === "number" ? clamp(stored) : atFirst;
  return { width, resize: (to: number) => setStored(clamp(to)), reset: () => setStored(null) };
}

function clamp(width: number, most: number = widths.most): number {
  return Math.min(most, Math.max(widths.least, width));
}

type Props = ReturnType<typeof usePanelWidth>;

/** The left edge of the side panel: it is pulled, moved with the arrow keys, and put back by a double click. */
export function ResizeHandle({ width, resize, reset }: Props) {
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const panel = currentTarget.parentElement?.getBoundingClientRect();
    if (panel) resize(panel.right - clientX);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: 1, ArrowRight: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(width + step * widths.step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={canvasStrings.editor.panel.resize}
      aria-valuenow={width}
      aria-valuemin={widths.least}
      aria-valuemax={widths.most}
      className={classes.handle}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      onDoubleClick={reset}
    />
  );
}
