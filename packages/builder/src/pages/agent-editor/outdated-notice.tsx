import { Button } from "@mantine/core";
import { canvasStrings } from "../../strings/canvas.ts";
import classes from "./agent-editor.module.css";
import type { AgentSave } from "./use-agent-save.ts";

const { outdated } = canvasStrings.editor;

/** That somebody else saved the agent while it is open here. */
export function OutdatedNotice({ saving, onReload }: { saving: AgentSave; onReload(): void }) {
  if (!saving.isOutdated) return null;
  return (
    <div className={classes.notice} role="status">
      <span>{saving.isDirty ? outdated.withEdits : outdated.plain}</span>
      <Button size="compact-sm" variant="default" onClick={onReload}>
        {outdated.load}
      </Button>
    </div>
  );
}
