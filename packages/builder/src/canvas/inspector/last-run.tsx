import { Alert, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Json } from "@weft/schema";
import { canvasStrings } from "../../strings.ts";
import { CodeBlock } from "../../ui/content/code-block.tsx";
import { prettyJson } from "../../ui/content/format.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { useCanvas, useKeyed } from "../canvas-context.ts";
import { StepActions } from "../step-actions.tsx";
import { toFacts } from "../step-run.ts";
import classes from "./last-run.module.css";

const { lastRun: strings } = canvasStrings;

/** The input and output of a step in the agent's last run. */
export function LastRun({ nodeId }: { nodeId: string }) {
  const run = useKeyed(useCanvas().lastRun, nodeId);
  if (run === undefined) {
    return (
      <>
        <StepActions nodeId={nodeId} run={undefined} />
        <Hint>{strings.none}</Hint>
      </>
    );
  }
  return (
    <>
      <StepActions nodeId={nodeId} run={run} />
      <Group justify="space-between">
        <Hint className={classes.facts}>{toFacts(run)}</Hint>
        <Link to="/executions/$executionId" params={{ executionId: run.executionId }} className={classes.link}>
          {strings.open}
        </Link>
      </Group>
      {run.passes > 1 && <Hint>{strings.passes({ count: run.passes })}</Hint>}
      {run.error !== undefined && (
        <Alert variant="light" color="red" p="xs" title={strings.error}>
          {run.error}
        </Alert>
      )}
      <Value title={strings.input} value={run.input} />
      <Value title={strings.output} value={run.output} />
    </>
  );
}

function Value({ title, value }: { title: string; value: Json }) {
  return (
    <section>
      <h2 className={classes.title}>{title}</h2>
      {value === null ? <Hint>{strings.nothing}</Hint> : <CodeBlock text={prettyJson(value)} label={title} />}
    </section>
  );
}
