import { Text } from "@mantine/core";
import type { Json } from "@weft/schema";
import { useState } from "react";
import { formStrings } from "../../strings/forms.ts";
import { isSameJson } from "../schema-editor/same-json.ts";
import { CodeEditor } from "./code-editor.tsx";
import type { EditorProps } from "./editor-props.ts";

type Props = Omit<EditorProps, "value" | "onChange" | "language"> & {
  value: Json | undefined;
  /** Undefined for an empty text. */
  onChange(value: Json | undefined): void;
  /** Whether invalid JSON is passed on as a string. Otherwise it stays in the editor, with an error. */
  takesText?: boolean;
};

/** Edits a value as JSON. The text is kept as it was typed for as long as it says the same as the value. */
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
          {formStrings.notJson(problem)}
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
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (cause) {
    return { ok: false, problem: `${(cause as Error).message}.` };
  }
}
