import { Button, Text, Title } from "@mantine/core";
import { canvasStrings } from "../strings/canvas.ts";
import { useCanvas, useEditorState } from "./canvas-context.ts";
import classes from "./empty-canvas.module.css";

/** Over a canvas without steps: how to begin. */
export function EmptyCanvas() {
  const { catalogue, commands } = useCanvas();
  const isEmpty = useEditorState(({ model }) => model.nodes.size === 0);
  if (!isEmpty) return null;
  const start = catalogue.types.find(({ group }) => group === "start");
  const first = catalogue.types.find(({ group }) => group === "model");
  const types = [start, first].filter((type) => type !== undefined);
  return (
    <div className={classes.empty}>
      <Title order={2}>{canvasStrings.empty.title}</Title>
      <Text size="sm" c="dimmed" maw={380}>
        {canvasStrings.empty.text}
      </Text>
      <Button
        onClick={() => {
          for (const type of types) commands.add(type);
        }}
      >
        {canvasStrings.empty.begin(types.map(({ title }) => title).join(" + "))}
      </Button>
    </div>
  );
}
