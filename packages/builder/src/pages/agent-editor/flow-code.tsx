import { Text } from "@mantine/core";
import { flowDocumentSchema } from "@weft/schema";
import { useEffect, useState } from "react";
import { toDocument, toModel, useCanvas, useEditorState } from "../../canvas/index.ts";
import { CodeEditor } from "../../forms/code/code-editor.tsx";
import { X } from "../../icons/icons.gen.ts";
import { canvasStrings } from "../../strings.ts";
import { IconAction } from "../../ui/controls/actions.tsx";
import classes from "./flow-code.module.css";

const { code: strings } = canvasStrings.editor;

/** The flow as JSON, beside the canvas: what is typed is drawn as soon as it is a flow, and what is drawn is written. */
export function FlowCode({ onClose }: { onClose(): void }) {
  const { commands } = useCanvas();
  const model = useEditorState((state) => state.model);
  const [typed, setTyped] = useState(() => ({ text: toText(model), model }));
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    // Changed on the canvas: what was typed and could not be read gives way.
    setTyped((before) => (before.model === model ? before : { text: toText(model), model }));
    setProblem(undefined);
  }, [model]);
  const change = (text: string) => {
    const read = readFlow(text);
    if ("problem" in read) {
      setTyped({ text, model });
      setProblem(read.problem);
      return;
    }
    setProblem(undefined);
    setTyped({ text, model: commands.reconcile(read.model) });
  };
  return (
    <div className={classes.panel}>
      <header className={classes.head}>
        <h2 className={classes.title}>{strings.title}</h2>
        <IconAction icon={X} label={strings.close} onClick={onClose} iconSize={16} />
      </header>
      <div className={classes.editor}>
        <CodeEditor
          language="json"
          value={typed.text}
          onChange={change}
          label={strings.title}
          isInvalid={problem !== undefined}
          minLines={12}
          maxLines={10_000}
        />
      </div>
      <Text size="sm" px={16} py={8} c={problem === undefined ? "dimmed" : "var(--mantine-color-error)"} role="status">
        {problem ?? strings.valid}
      </Text>
    </div>
  );
}

function toText(model: Parameters<typeof toDocument>[0]): string {
  return JSON.stringify(toDocument(model), null, 2);
}

function readFlow(text: string): { model: ReturnType<typeof toModel> } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { problem: strings.notJson({ problem: (cause as Error).message }) };
  }
  const read = flowDocumentSchema.safeParse(value);
  if (read.success) return { model: toModel(read.data) };
  const [issue] = read.error.issues;
  return {
    problem: strings.notFlow({
      hasPath: (issue?.path.join(".") ?? "") !== "",
      path: issue?.path.join(".") ?? "",
      problem: issue?.message ?? "",
    }),
  };
}
