import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, ListX, Workflow } from "lucide-react";
import { executionsQuery } from "../../api/executions.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Page } from "../../components/page.tsx";
import { executionStrings } from "../../strings/executions.ts";
import { ExecutionFilters } from "./execution-filters.tsx";
import {
  type ExecutionsSearch,
  hasFilters,
  readExecutionsSearch,
  runsPerPage,
  toExecutionQuery,
} from "./executions-search.ts";
import { ExecutionsTable } from "./executions-table.tsx";

/** Every run, the newest first, with filters. The list is read anew while a run goes on. */
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
          // What is undefined is left out, and another filter begins at its first page.
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
