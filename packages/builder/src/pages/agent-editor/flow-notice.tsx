import { canvasStrings } from "../../strings/canvas.ts";
import classes from "./agent-editor.module.css";
import type { OpenedFlow } from "./open-flow.ts";

/** That a flow is stored in another format than it is shown in, and what a save does to it. */
export function FlowNotice({ flow: { dialect, problems }, isDirty }: { flow: OpenedFlow; isDirty: boolean }) {
  if (dialect === "native") return null;
  const { foreign } = canvasStrings.editor;
  return (
    <div className={classes.notice} role="status">
      {problems.length > 0 ? `${problems.join(" ")} ${foreign.nothing}` : foreign.shown(dialect)}{" "}
      {isDirty ? foreign.rewritten : foreign.untouched}
    </div>
  );
}
