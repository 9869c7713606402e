import { CloseButton, Skeleton, Stack, Text, TextInput, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type LucideIcon, Search } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { commonStrings } from "../strings/common.ts";
import { type Column, DataTable } from "./data-table.tsx";
import { EmptyState } from "./empty-state.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { Moment } from "./moment.tsx";
import { Page } from "./page.tsx";

type Props<Row> = Omit<ComponentProps<typeof ListBody<readonly Row[]>>, "children"> & {
  strings: { title: string; summary: string; emptyTitle: string; emptyText: string };
  icon: LucideIcon;
  /** Creates the first item, and further ones. */
  action: ReactNode;
  /** Above the list, also of an empty one. */
  notice?: ReactNode;
  /** Renders the items, of which there is at least one. */
  list: (rows: readonly Row[]) => ReactNode;
  /** Dialogs open over the page. */
  children?: ReactNode;
};

/** A page of all things of one kind. While there are none it says what belongs here, and how to make one. */
export function ListPage<Row>({ strings, icon, action, notice, list, children, ...body }: Props<Row>) {
  const { title, summary, emptyTitle, emptyText } = strings;
  return (
    <Page title={title} summary={summary} actions={action}>
      {notice}
      <ListBody {...body}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={icon} title={emptyTitle} text={emptyText} action={action} />
          ) : (
            list(rows)
          )
        }
      </ListBody>
      {children}
    </Page>
  );
}

type ListBodyProps<T> = {
  query: Pick<UseQueryResult<T>, "data" | "error" | "refetch">;
  /** Height of the skeleton's rows in pixels. Default 52. */
  rowHeight?: number;
  children: (data: T) => ReactNode;
};

const skeletonRows = ["1", "2", "3", "4"];

/** The result of a query: a skeleton while it loads, and the error with a retry if it fails. */
export function ListBody<T>({ query: { data, error, refetch }, rowHeight = 52, children }: ListBodyProps<T>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="xs" aria-busy>
      <VisuallyHidden role="status">{commonStrings.loading}</VisuallyHidden>
      {skeletonRows.map((row) => (
        <Skeleton key={row} height={rowHeight} />
      ))}
    </Stack>
  );
}

type SearchInputProps = { label: string; value: string; onChange: (value: string) => void };

export function SearchInput({ label, value, onChange }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={
        value !== "" && <CloseButton size="sm" aria-label={commonStrings.clearSearch} onClick={() => onChange("")} />
      }
      w={{ base: "100%", xs: 280 }}
    />
  );
}

type SearchedTableProps<Row> = ComponentProps<typeof DataTable<Row>> & {
  searchLabel: string;
  /** The searchable text of a row. */
  textOf: (row: Row) => string;
};

/** A table filtered by the text typed above it. */
export function SearchedTable<Row>({ searchLabel, textOf, rows, ...table }: SearchedTableProps<Row>) {
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const found = rows.filter((row) => textOf(row).toLowerCase().includes(words));
  return (
    <>
      <SearchInput label={searchLabel} value={search} onChange={setSearch} />
      {found.length === 0 ? (
        <Text c="dimmed">{commonStrings.nothingFound(search)}</Text>
      ) : (
        <DataTable {...table} rows={found} />
      )}
    </>
  );
}

/** When a row was changed last. */
export function updatedColumn<Row extends { updatedDate: string }>(): Column<Row> {
  return {
    key: "updated",
    header: commonStrings.updated,
    isNarrow: true,
    cell: ({ updatedDate }) => <Moment at={updatedDate} />,
  };
}

/** The menu of what can be done with a row. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { key: "actions", header: <VisuallyHidden>{commonStrings.actions}</VisuallyHidden>, isNarrow: true, cell };
}
