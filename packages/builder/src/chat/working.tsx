import { chatStrings } from "../strings/chat.ts";
import type { Answer } from "./conversation.ts";
import classes from "./working.module.css";

/** That an answer is being written, and by which nodes. */
export function Working({ answer: { state } }: { answer: Answer }) {
  if (state.type !== "sending" && state.type !== "writing") return null;
  const labels = state.type === "writing" ? Object.values(state.steps) : [];
  return (
    <div className={classes.working}>
      <span className={classes.dots} aria-hidden>
        <span />
        <span />
        <span />
      </span>
      {labels.length === 0 ? chatStrings.thinking : chatStrings.workingOn(labels)}
    </div>
  );
}
