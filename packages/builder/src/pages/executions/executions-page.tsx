import { ActionIcon, Button, Group, Select, Skeleton, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ExecutionSummary } from "@weft/client";
import { ChevronLeft, ChevronRight, FilterX, ListX, Workflow } from "lucide-react";
import { useState } from "react";
import { executionsQuery } from "../../api/executions.ts";
import { formatCost, formatDuration, formatExactMoment, formatMoment } from "../../ui/content/format.ts";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../ui/page/page.tsx";
import { StateBadge } from "./execution-facts.tsx";
import {
  type ExecutionsSearch,
  hasFilters,
  readExecutionsSearch,
  runsPerPage,
  toExecutionQuery,
} from "./executions-search.ts";
import classes from "./executions-table.module.css";
import { executionStrings } from "./strings.ts";

/** All runs, newest first, with filters. Refetched while a run is active. */
export function ExecutionsPage() {
  const search = readExecutionsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(executionsQuery(toExecutionQuery(search)));
  const show = (changed: ExecutionsSearch) => void navigate({ to: "/executions", search: changed });
  const isEmpty = data?.total === 0;

  return (
    <Page title={executionStrings.title} summary={executionStrings.summary}>
      {!(isEmpty && !hasFilters(search)) && (
        <ExecutionFilters
          search={search}
          // Undefined values are omitted, and a new filter starts at its first page.
          onChange={(change) => show(readExecutionsSearch({ ...search, page: 1, ...change }))}
          onClear={() => show({})}
        />
      )}
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <ExecutionsTable runs={null} />}
      {isEmpty && <NoRuns hasFilters={hasFilters(search)} />}
      {data !== undefined && !isEmpty && (
        <>
          <ExecutionsTable runs={data.data} />
          <Pages page={search.page ?? 1} total={data.total} onPage={(page) => show({ ...search, page })} />
        </>
      )}
    </Page>
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
      action={
        <Button component={Link} to="/agents">
          {executionStrings.emptyAction}
        </Button>
      }
    />
  );
}

function Pages({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const first = (page - 1) * runsPerPage + 1;
  const last = Math.min(page * runsPerPage, total);
  const turn = (to: number, label: string, Icon: typeof ChevronLeft, isDisabled: boolean) => (
    <ActionIcon variant="default" size={32} aria-label={label} disabled={isDisabled} onClick={() => onPage(to)}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group component="nav" justify="flex-end" gap="xs" mt="md" aria-label={executionStrings.pages}>
      <Text size="sm" c="dimmed" mr="xs" aria-live="polite">
        {executionStrings.range(Math.min(first, last), last, total)}
      </Text>
      {turn(page - 1, executionStrings.previousPage, ChevronLeft, page <= 1)}
      {turn(page + 1, executionStrings.nextPage, ChevronRight, last >= total)}
    </Group>
  );
}

const columns = [
  { label: executionStrings.columnRun },
  { label: executionStrings.columnState },
  { label: executionStrings.columnAgent },
  { label: executionStrings.columnStarted },
  { label: executionStrings.columnDuration, isNumber: true },
  { label: executionStrings.columnTokens, isNumber: true },
  { label: executionStrings.columnCost, isNumber: true },
];

/** A page of runs; null while it is read for the first time. */
function ExecutionsTable({ runs }: { runs: readonly ExecutionSummary[] | null }) {
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
        <StateBadge run={run} />
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
      <td className={classes.facts} data-number>
        {run.costDollars === null ? executionStrings.notEnded : formatCost(run.costDollars)}
      </td>
    </tr>
  );
}

/** The result of a run, in one line. */
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

type Change = { [Key in keyof ExecutionsSearch]?: ExecutionsSearch[Key] | undefined };
type ExecutionFiltersProps = { search: ExecutionsSearch; onChange: (change: Change) => void; onClear: () => void };

const typingPauseMs = 300;

/** Which runs are listed. What is typed takes effect after a short pause. */
function ExecutionFilters({ search, onChange, onClear }: ExecutionFiltersProps) {
  const states = Object.entries(executionStrings.states).map(([value, label]) => ({ value, label }));
  return (
    <Group gap="sm" align="end" mb="md">
      <TextFilter
        label={executionStrings.filterAgent}
        placeholder={executionStrings.filterAgentPlaceholder}
        value={search.agent ?? ""}
        onChange={(agent) => onChange({ agent: agent || undefined })}
      />
      <Select
        label={executionStrings.filterState}
        placeholder={executionStrings.anyState}
        data={states}
        value={search.state ?? null}
        clearable
        w={150}
        onChange={(state) => onChange({ state: (state ?? undefined) as ExecutionsSearch["state"] })}
      />
      <TextFilter
        label={executionStrings.filterSession}
        placeholder={executionStrings.filterSessionPlaceholder}
        value={search.session ?? ""}
        onChange={(session) => onChange({ session: session || undefined })}
      />
      <DayFilter label={executionStrings.filterFrom} value={search.from} onChange={(from) => onChange({ from })} />
      <DayFilter label={executionStrings.filterUntil} value={search.until} onChange={(until) => onChange({ until })} />
      {hasFilters(search) && (
        <Button variant="subtle" color="gray" leftSection={<FilterX size={16} aria-hidden />} onClick={onClear}>
          {executionStrings.filterClear}
        </Button>
      )}
    </Group>
  );
}

type TextProps = { label: string; placeholder: string; value: string; onChange: (value: string) => void };

function TextFilter({ label, placeholder, value, onChange }: TextProps) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  // The address may change without a key being pressed here: by the browser's back button, or when filters are cleared.
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  const apply = useDebouncedCallback(onChange, typingPauseMs);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={text}
      w={170}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value.trim());
      }}
    />
  );
}

type DayProps = { label: string; value: string | undefined; onChange: (value: string | undefined) => void };

function DayFilter({ label, value = "", onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      w={150}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
