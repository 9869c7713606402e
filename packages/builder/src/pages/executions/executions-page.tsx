import { Checkbox, Group, SegmentedControl, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ExecutionSummary } from "@weft/client";
import { useState } from "react";
import { executionsQuery, statsQuery } from "../../api/executions.ts";
import { useMay } from "../../api/settings.ts";
import { ListX, Workflow } from "../../icons/icons.gen.ts";
import { executionStrings } from "../../strings.ts";
import { formatCost, formatDuration, formatExactMoment, formatMoment } from "../../ui/content/format.ts";
import { toPlainText } from "../../ui/content/markdown-blocks.ts";
import { ActionLink } from "../../ui/controls/links.tsx";
import { PageTurner } from "../../ui/list/list-page.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../ui/page/page.tsx";
import { StateBadge } from "../../ui/runs/state-badge.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { VolumeChart } from "../../ui/volume-chart.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { ExecutionFilters } from "./execution-filters.tsx";
import {
  defaultPageSize,
  type ExecutionsSearch,
  hasFilters,
  type PageSize,
  pageSizes,
  readExecutionsSearch,
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
      {data === undefined && error === null && <ExecutionsTable runs={null} search={search} />}
      {isEmpty && <NoRuns hasFilters={hasFilters(search)} />}
      {data !== undefined && !isEmpty && (
        <>
          <Volume search={search} />
          <SelectableRuns key={JSON.stringify(search)} runs={data.data} search={search} />
          <Group mt="md" justify="space-between">
            <PageSizeChoice size={search.size ?? defaultPageSize} onChange={(size) => change({ size })} />
            <PageTurner
              strings={executionStrings}
              page={search.page ?? 1}
              perPage={search.size ?? defaultPageSize}
              total={data.total}
              onPage={(page) => show({ ...search, page })}
              isConstant
            />
          </Group>
        </>
      )}
    </Page>
  );
}

function PageSizeChoice({ size, onChange }: { size: PageSize; onChange(size: PageSize): void }) {
  return (
    <Group gap="xs">
      <Hint aria-hidden>{executionStrings.pageSize}</Hint>
      <SegmentedControl
        size="xs"
        aria-label={executionStrings.pageSize}
        data={pageSizes.map(String)}
        value={String(size)}
        onChange={(chosen) => onChange(pageSizes.find((one) => String(one) === chosen) ?? defaultPageSize)}
      />
    </Group>
  );
}

/** A page of runs, and what can be done with those that are selected. */
function SelectableRuns({ runs, search }: { runs: readonly ExecutionSummary[]; search: ExecutionsSearch }) {
  const mayWrite = useMay()("executions:write");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selection = { selected, onChange: setSelected };
  return (
    <>
      {mayWrite && (
        <BulkActions runs={runs.filter(({ id }) => selected.has(id))} onDone={() => setSelected(new Set())} />
      )}
      <ExecutionsTable runs={runs} search={search} {...(mayWrite && { selection })} />
    </>
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

type Selection = { selected: ReadonlySet<string>; onChange(selected: ReadonlySet<string>): void };

type TableProps = {
  /** Null while they are read for the first time. */
  runs: readonly ExecutionSummary[] | null;
  search: ExecutionsSearch;
  /** Absent: nothing can be selected. */
  selection?: Selection;
};

/** A page of runs. */
function ExecutionsTable({ runs, search, selection }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the page is scrolled by keyboard, too.
    <section className={classes.frame} tabIndex={0} aria-label={executionStrings.title}>
      <table className={classes.table} aria-busy={runs === null} data-stacks>
        <thead>
          <tr>
            {selection && runs && (
              <th scope="col" className={classes.select}>
                <SelectAll runs={runs} selection={selection} />
              </th>
            )}
            {columns.map(({ label, isNumber, isSecondary }) => (
              <th key={label} scope="col" data-number={isNumber} data-secondary={isSecondary}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs === null ? (
            <SkeletonRows />
          ) : (
            runs.map((run) => <Row key={run.id} run={run} search={search} selection={selection} />)
          )}
        </tbody>
      </table>
    </section>
  );
}

function SelectAll({
  runs,
  selection: { selected, onChange },
}: {
  runs: readonly ExecutionSummary[];
  selection: Selection;
}) {
  const isAll = runs.every(({ id }) => selected.has(id));
  return (
    <Checkbox
      size="xs"
      aria-label={executionStrings.selectAll}
      checked={isAll}
      indeterminate={!isAll && selected.size > 0}
      onChange={() => onChange(new Set(isAll ? [] : runs.map(({ id }) => id)))}
    />
  );
}

type RowProps = { run: ExecutionSummary; search: ExecutionsSearch; selection: Selection | undefined };

function Row({ run, search, selection }: RowProps) {
  const question = toPlainText(run.question) || executionStrings.noQuestion;
  return (
    <tr data-selected={selection?.selected.has(run.id) || undefined}>
      {selection && (
        <td className={classes.select}>
          <Checkbox
            size="xs"
            aria-label={executionStrings.select({ question })}
            checked={selection.selected.has(run.id)}
            onChange={() => selection.onChange(toggled(selection.selected, run.id))}
          />
        </td>
      )}
      <td className={classes.run}>
        <div className={classes.line}>
          <Link to="/executions/$executionId" params={{ executionId: run.id }} search={search} className={classes.link}>
            {question}
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

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id]);
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
