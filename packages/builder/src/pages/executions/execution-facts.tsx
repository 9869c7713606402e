import { Link } from "@tanstack/react-router";
import type { Execution } from "@weft/client";
import type { ReactNode } from "react";
import { isGoingOn } from "../../api/executions.ts";
import { executionStrings } from "../../strings/executions.ts";
import { formatDuration, formatExactMoment } from "../../trace/format-time.ts";
import { useNow } from "../../trace/use-now.ts";
import classes from "./execution-facts.module.css";
import { StateBadge } from "./state-badge.tsx";

/** The state of a run: agent, times, tokens, session, and the run it retries. */
export function ExecutionFacts({ execution }: { execution: Execution }) {
  const { state, agentflow, createdDate, usage, sessionId, retriedFrom } = execution;
  return (
    <dl className={classes.facts}>
      <Fact label={executionStrings.columnState}>
        <StateBadge state={state} />
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
      <Fact label={executionStrings.started}>{formatExactMoment(createdDate)}</Fact>
      <Fact label={executionStrings.duration}>
        <Duration execution={execution} />
      </Fact>
      <Fact label={executionStrings.tokensUsed}>
        {usage.totalTokens === 0
          ? executionStrings.notEnded
          : executionStrings.tokensSplit(usage.inputTokens, usage.outputTokens)}
      </Fact>
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
    </dl>
  );
}

function Duration({ execution }: { execution: Execution }) {
  const nowMs = useNow(isGoingOn(execution));
  if (execution.durationMs !== null) return formatDuration(execution.durationMs);
  return isGoingOn(execution) ? formatDuration(nowMs - Date.parse(execution.createdDate)) : executionStrings.notEnded;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
