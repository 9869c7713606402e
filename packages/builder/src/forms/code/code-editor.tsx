import { type CSSProperties, lazy, Suspense } from "react";
import classes from "./code-editor.module.css";
import type { EditorProps } from "./editor-props.ts";

const EditorSurface = lazy(() => import("./editor-surface.tsx").then((module) => ({ default: module.EditorSurface })));

const linePx = 20;

/** An editor of code or of a text with templates. Until CodeMirror is there, a plain one does. */
export function CodeEditor(props: EditorProps) {
  const { language, isSingleLine = false, isInvalid = false, isDisabled = false } = props;
  const { minLines = isSingleLine ? 1 : 3, maxLines = 16 } = props;
  const kind = language === "template" || language === "text" ? classes.prose : "";
  const padding = isSingleLine ? 14 : 16;
  const size = {
    "--editor-min": `${minLines * linePx + padding}px`,
    "--editor-max": isSingleLine ? "none" : `${Math.max(minLines, maxLines) * linePx + padding}px`,
  } as CSSProperties;
  return (
    <div
      className={`${classes.frame} ${kind} ${isSingleLine ? classes.singleLine : ""}`}
      style={size}
      data-invalid={isInvalid || undefined}
      data-disabled={isDisabled || undefined}
    >
      <Suspense fallback={<PlainEditor {...props} />}>
        <EditorSurface {...props} />
      </Suspense>
    </div>
  );
}

function PlainEditor({
  value,
  onChange,
  label,
  labelledBy,
  describedBy,
  placeholder,
  isDisabled,
  isSingleLine,
}: EditorProps) {
  return (
    <textarea
      className={classes.fallback}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      placeholder={placeholder}
      disabled={isDisabled}
      rows={isSingleLine ? 1 : undefined}
    />
  );
}
