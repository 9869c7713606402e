import { Box, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ExecutionSummary } from "@weft/client";
import { executionsQuery, statsQuery } from "../../api/executions.ts";
import { ListX, Workflow } from "../../icons/icons.gen.ts";
import { executionStrings } from "../../strings.ts";
import { formatCost, formatDuration, formatExactMoment, formatMoment } from "../../ui/content/format.ts";
import { toPlainText } from "../../ui/content/markdown-blocks.ts";
import { ActionLink } from "../../ui/controls/links.tsx";
import { PageTurner } from "../../ui/list/list-page.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../ui/page/page.tsx";
import { StateBadge } from "../../ui/runs/state-badge.tsx";
import { VolumeChart } from "../../ui/volume-chart.tsx";
import { ExecutionFilters } from "./execution-filters.tsx";
import {
  type ExecutionsSearch,
  hasFilters,
  readExecutionsSearch,
  runsPerPage,
  toExecutionQuery,
} from "./executions-search.ts";
import classes from "./executions-table.module.css";

/** All runs, newest first, with filters. Refetched while a run is active. */
export function ExecutionsPage() {
  const search = readExecutionsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(executionsQuery(toExecutionQuery(search)));
  const show = (changed: ExecutionsSearch) => void navigate({ to: "/executions", search: changed });
  // From the address as it is now, which may be ahead of what is shown. Undefined values are omitted, and a new filter
  // starts at its first page.
  const change = (changed: Partial<Record<keyof ExecutionsSearch, unknown>>) =>
    void navigate({
      to: "/executions",
      search: (now) => readExecutionsSearch({ ...readExecutionsSearch(now), page: 1, ...changed }),
    });
  const isEmpty = data?.total === 0;

  return (
    <Page title={executionStrings.title} summary={executionStrings.summary}>
      {!(isEmpty && !hasFilters(search)) && (
        <ExecutionFilters search={search} onChange={change} onClear={() => show({})} />
      )}
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <ExecutionsTable runs={null} />}
      {isEmpty && <NoRuns hasFilters={hasFilters(search)} />}
      {data !== undefined && !isEmpty && (
        <>
          <Volume search={search} />
          <ExecutionsTable runs={data.data} />
          <Box mt="md">
            <PageTurner
              strings={executionStrings}
              page={search.page ?? 1}
              perPage={runsPerPage}
              total={data.total}
              onPage={(page) => show({ ...search, page })}
              isConstant
            />
          </Box>
        </>
      )}
    </Page>
  );
}

/** The runs of the range that is listed as bars, of 30 days where none is chosen; nothing where a filter leaves out some. */
function Volume({
  search: { range = "30d", q, agent, state, origin, session, from, until, agentId },
}: {
  search: ExecutionsSearch;
}) {
  const isWhole = [q, agent, state, origin, session, from, until].every((filter) => filter === undefined);
  const { data } = useQuery({ ...statsQuery(range, agentId), enabled: isWhole });
  if (!isWhole || data === undefined) return null;
  return (
    <figure className={classes.volume}>
      <figcaption>{executionStrings.volume({ range: executionStrings.ranges[range] })}</figcaption>
      <VolumeChart stats={data} isCompact />
    </figure>
  );
}

function NoRuns({ hasFilters: isFiltered }: { hasFilters: boolean }) {
  if (isFiltered) {
    return <EmptyState icon={ListX} title={executionStrings.noMatchTitle} text={executionStrings.noMatchText} />;
  }
  return (
    <EmptyState
      icon={Workflow}
      title={executionStrings.emptyTitle}
      text={executionStrings.emptyText}
      action={<ActionLink variant="filled" label={executionStrings.emptyAction} to="/agents" />}
    />
  );
}

const columns = [
  { label: executionStrings.columnRun },
  { label: executionStrings.columnState },
  { label: executionStrings.columnAgent },
  { label: executionStrings.origin, isSecondary: true },
  { label: executionStrings.columnStarted },
  { label: executionStrings.columnDuration, isNumber: true },
  { label: executionStrings.columnTokens, isNumber: true, isSecondary: true },
  { label: executionStrings.columnCost, isNumber: true, isSecondary: true },
];

/** A page of runs; null while it is read for the first time. */
function ExecutionsTable({ runs }: { runs: readonly ExecutionSummary[] | null }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the page is scrolled by keyboard, too.
    <section className={classes.frame} tabIndex={0} aria-label={executionStrings.title}>
      <table className={classes.table} aria-busy={runs === null} data-stacks>
        <thead>
          <tr>
            {columns.map(({ label, isNumber, isSecondary }) => (
              <th key={label} scope="col" data-number={isNumber} data-secondary={isSecondary}>
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
        <div className={classes.line}>
          <Link to="/executions/$executionId" params={{ executionId: run.id }} className={classes.link}>
            {toPlainText(run.question) || executionStrings.noQuestion}
          </Link>
          <Outcome run={run} />
        </div>
      </td>
      <td data-label={executionStrings.columnState}>
        <StateBadge run={run} />
      </td>
      <td className={classes.agent} data-label={executionStrings.columnAgent}>
        {run.agentflow?.name ?? executionStrings.agentGone}
      </td>
      <td className={classes.facts} data-secondary>
        {executionStrings.origins[run.origin]}
      </td>
      <td
        className={classes.facts}
        data-label={executionStrings.columnStarted}
        title={formatExactMoment(run.createdDate)}
      >
        {formatMoment(run.createdDate)}
      </td>
      <td className={classes.facts} data-label={executionStrings.columnDuration} data-number>
        {run.durationMs === null ? executionStrings.notEnded : formatDuration(run.durationMs)}
      </td>
      <td className={classes.facts} data-number data-secondary>
        {run.usage.totalTokens === 0
          ? executionStrings.notEnded
          : executionStrings.tokens({ count: run.usage.totalTokens })}
      </td>
      <td className={classes.facts} data-number data-secondary>
        {run.costDollars === null ? executionStrings.notEnded : formatCost(run.costDollars)}
      </td>
    </tr>
  );
}

/** The result of a run, in one line. */
function Outcome({ run: { error, text } }: { run: ExecutionSummary }) {
  if (error !== null) return <span className={classes.error}>{error.message}</span>;
  return text === null || text === "" ? null : <span className={classes.outcome}>{toPlainText(text)}</span>;
}

const skeletonRows = Array.from({ length: 8 }, (_, index) => index);

function SkeletonRows() {
  return skeletonRows.map((row) => (
    <tr key={row}>
      {columns.map(({ label, isSecondary }) => (
        <td key={label} data-secondary={isSecondary}>
          <Skeleton height={14} width={label === executionStrings.columnRun ? "70%" : 72} />
        </td>
      ))}
    </tr>
  ));
}
