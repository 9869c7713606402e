import { Link } from "@tanstack/react-router";
import { chatStrings } from "../strings/chat.ts";
import classes from "./run-link.module.css";

/** Leads to the timeline of a run. */
export function RunLink({ executionId }: { executionId: string }) {
  return (
    <Link to="/executions/$executionId" params={{ executionId }} className={classes.link}>
      {chatStrings.viewRun}
    </Link>
  );
}
