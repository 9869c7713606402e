import { Link } from "@tanstack/react-router";
import type { Execution } from "@weft/client";
import type { ReactNode } from "react";
import { isGoingOn } from "../../api/executions.ts";
import { executionStrings } from "../../strings.ts";
import { formatCost, formatDuration, formatExactMoment } from "../../ui/content/format.ts";
import { useNow } from "../../ui/content/time.tsx";
import { StateBadge } from "../../ui/runs/state-badge.tsx";
import classes from "./execution-facts.module.css";
import { waitedForPeopleMs } from "./timeline/index.ts";

/** The state of a run: agent, times, tokens, session, and the run it retries. */
export function ExecutionFacts({ execution }: { execution: Execution }) {
  const { agentflow, createdDate, usage, sessionId, retriedFrom, replayedFrom } = execution;
  return (
    <dl className={classes.facts}>
      <Fact label={executionStrings.columnState}>
        <StateBadge run={execution} />
      </Fact>
      <Fact label={executionStrings.columnAgent}>
        {agentflow === null ? (
          executionStrings.agentGone
        ) : (
          <Link to="/agents/$agentId" params={{ agentId: agentflow.id }} className={classes.link}>
            {agentflow.name}
          </Link>
        )}
      </Fact>
      <Fact label={executionStrings.origin}>{executionStrings.origins[execution.origin]}</Fact>
      <Fact label={executionStrings.started}>{formatExactMoment(createdDate)}</Fact>
      <Fact label={executionStrings.duration}>
        <Duration execution={execution} />
      </Fact>
      <Fact label={executionStrings.tokensUsed}>
        {usage.totalTokens === 0
          ? executionStrings.notEnded
          : executionStrings.tokensSplit({ input: usage.inputTokens, output: usage.outputTokens })}
      </Fact>
      {execution.costDollars !== null && (
        <Fact label={executionStrings.columnCost}>{formatCost(execution.costDollars)}</Fact>
      )}
      <Fact label={executionStrings.session}>
        <Link to="/executions" search={{ session: sessionId }} className={classes.link}>
          {sessionId}
        </Link>
      </Fact>
      {retriedFrom !== null && (
        <Fact label={executionStrings.retriedFrom}>
          <Link to="/executions/$executionId" params={{ executionId: retriedFrom }} className={classes.link}>
            {executionStrings.retriedFromLink}
          </Link>
        </Fact>
      )}
      {replayedFrom !== null && (
        <Fact label={executionStrings.replayedFrom}>
          <Link to="/executions/$executionId" params={{ executionId: replayedFrom }} className={classes.link}>
            {executionStrings.replayedFromLink}
          </Link>
        </Fact>
      )}
    </dl>
  );
}

function Duration({ execution }: { execution: Execution }) {
  const nowMs = useNow(isGoingOn(execution));
  const waitedMs = waitedForPeopleMs(execution.steps, nowMs);
  if (execution.durationMs === null && !isGoingOn(execution)) return executionStrings.notEnded;
  const durationMs = execution.durationMs ?? nowMs - Date.parse(execution.createdDate);
  if (waitedMs === 0) return formatDuration(durationMs);
  return executionStrings.durationWithWait({
    worked: formatDuration(durationMs - waitedMs),
    waited: formatDuration(waitedMs),
  });
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
