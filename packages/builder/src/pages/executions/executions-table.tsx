import { Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ExecutionSummary } from "@weft/client";
import { executionStrings } from "../../strings/executions.ts";
import { formatDuration } from "../../trace/format-duration.ts";
import { formatExactMoment, formatMoment } from "../../trace/format-moment.ts";
import classes from "./executions-table.module.css";
import { StateBadge } from "./state-badge.tsx";

const columns = [
  { label: executionStrings.columnRun },
  { label: executionStrings.columnState },
  { label: executionStrings.columnAgent },
  { label: executionStrings.columnStarted },
  { label: executionStrings.columnDuration, isNumber: true },
  { label: executionStrings.columnTokens, isNumber: true },
];

/** A page of runs; null while it is read for the first time. */
export function ExecutionsTable({ runs }: { runs: readonly ExecutionSummary[] | null }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the page is scrolled by keyboard, too.
    <section className={classes.frame} tabIndex={0} aria-label={executionStrings.title}>
      <table className={classes.table} aria-busy={runs === null}>
        <thead>
          <tr>
            {columns.map(({ label, isNumber = false }) => (
              <th key={label} scope="col" data-number={isNumber || undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{runs === null ? <SkeletonRows /> : runs.map((run) => <Row key={run.id} run={run} />)}</tbody>
      </table>
    </section>
  );
}

function Row({ run }: { run: ExecutionSummary }) {
  return (
    <tr>
      <td className={classes.run}>
        <Link to="/executions/$executionId" params={{ executionId: run.id }} className={classes.link}>
          {run.question.trim() || executionStrings.noQuestion}
        </Link>
        <Outcome run={run} />
      </td>
      <td>
        <StateBadge state={run.state} />
      </td>
      <td className={classes.agent}>{run.agentflow?.name ?? executionStrings.agentGone}</td>
      <td className={classes.facts} title={formatExactMoment(run.createdDate)}>
        {formatMoment(run.createdDate)}
      </td>
      <td className={classes.facts} data-number>
        {run.durationMs === null ? executionStrings.notEnded : formatDuration(run.durationMs)}
      </td>
      <td className={classes.facts} data-number>
        {run.usage.totalTokens === 0 ? executionStrings.notEnded : executionStrings.tokens(run.usage.totalTokens)}
      </td>
    </tr>
  );
}

/** What came of it, in one line. */
function Outcome({ run: { error, text } }: { run: ExecutionSummary }) {
  if (error !== null) return <span className={classes.error}>{error.message}</span>;
  return text === null || text === "" ? null : <span className={classes.outcome}>{text}</span>;
}

const skeletonRows = Array.from({ length: 8 }, (_, index) => index);

function SkeletonRows() {
  return skeletonRows.map((row) => (
    <tr key={row}>
      {columns.map(({ label }) => (
        <td key={label}>
          <Skeleton height={14} width={label === executionStrings.columnRun ? "70%" : 72} my={12} />
        </td>
      ))}
    </tr>
  ));
}
