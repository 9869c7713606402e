import { Text } from "@mantine/core";
import { isSameJson, type Json } from "@weft/schema";
import { lazy, Suspense, useState } from "react";
import { formStrings } from "../../strings.ts";
import classes from "./code-editor.module.css";
import type { EditorProps } from "./editor-props.ts";

const EditorSurface = lazy(() => import("./editor-surface.tsx").then((module) => ({ default: module.EditorSurface })));

const linePx = 20;

/** An editor for code or for text with templates. A plain one until CodeMirror has loaded. */
export function CodeEditor(props: EditorProps) {
  const { language, isSingleLine = false, isInvalid = false, isDisabled = false } = props;
  const { minLines = isSingleLine ? 1 : 3, maxLines = 16 } = props;
  const kind = language === "template" || language === "text" ? classes.prose : "";
  const padding = isSingleLine ? 14 : 16;
  const size = {
    "--editor-min": `${minLines * linePx + padding}px`,
    "--editor-max": isSingleLine ? "none" : `${Math.max(minLines, maxLines) * linePx + padding}px`,
  };
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

type Props = Omit<EditorProps, "value" | "onChange" | "language"> & {
  value: Json | undefined;
  /** Undefined for an empty text. */
  onChange(value: Json | undefined): void;
  /** Whether invalid JSON is passed on as a string. Otherwise it stays in the editor, with an error. */
  takesText?: boolean;
};

/** Edits a value as JSON. Keeps the typed text while it is equivalent to the value. */
export function JsonEditor({ value, onChange, takesText = false, isInvalid, ...props }: Props) {
  const [text, setText] = useState(() => toText(value));
  const read = readJsonText(text);
  const isCurrent = read.ok ? isSameJson(read.value, value) || value === text : takesText ? value === text : true;
  const shown = isCurrent ? text : toText(value);
  const problem = !takesText && !read.ok && isCurrent ? read.problem : undefined;
  return (
    <div>
      <CodeEditor
        {...props}
        language="json"
        value={shown}
        isInvalid={isInvalid === true || problem !== undefined}
        onChange={(typed) => {
          setText(typed);
          const now = readJsonText(typed);
          if (now.ok) onChange(now.value);
          else if (takesText) onChange(typed);
        }}
      />
      {problem !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="status">
          {formStrings.notJson({ reason: problem })}
        </Text>
      )}
    </div>
  );
}

function toText(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** The result of parsing a JSON text: its value, undefined if it is empty, or the error. */
type ReadJsonText = { ok: true; value: Json | undefined } | { ok: false; problem: string };

function readJsonText(text: string): ReadJsonText {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (cause) {
    return { ok: false, problem: `${(cause as Error).message}.` };
  }
}
