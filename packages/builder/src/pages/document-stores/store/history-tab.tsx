import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { UpsertHistoryRecord } from "@weft/client";
import { History } from "lucide-react";
import type { StoreView } from "../../../api/document-store-view.ts";
import { upsertHistoryQuery } from "../../../api/document-stores.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ListBody } from "../../../components/list-page.tsx";
import { Moment } from "../../../components/moment.tsx";
import { documentStoresStrings } from "../../../strings/document-stores.ts";

const strings = documentStoresStrings.history;

/** The results of upserts, newest first. */
export function HistoryTab({ store }: { store: StoreView }) {
  const history = useQuery(upsertHistoryQuery(store.id));
  const nameOf = (loaderId: string) => store.loaders.find(({ id }) => id === loaderId)?.name ?? strings.gone;
  return (
    <ListBody query={history}>
      {({ data }: { data: UpsertHistoryRecord[] }) =>
        data.length === 0 ? (
          <EmptyState icon={History} title={strings.emptyTitle} text={strings.emptyText} />
        ) : (
          <DataTable
            label={documentStoresStrings.tabs.history}
            columns={toColumns(nameOf)}
            rows={data.map(toPastUpsert)}
            idOf={({ id }) => id}
          />
        )
      }
    </ListBody>
  );
}

function toColumns(nameOf: (loaderId: string) => string): Column<PastUpsert>[] {
  const number = (key: "added" | "updated" | "skipped" | "deleted"): Column<PastUpsert> => ({
    key,
    header: strings[key],
    isNarrow: true,
    cell: (past) => past[key].toLocaleString("en"),
  });
  return [
    { key: "when", header: strings.when, isNarrow: true, cell: ({ date }) => <Moment at={date} /> },
    {
      key: "what",
      header: strings.what,
      cell: ({ loaderIds: [first, ...rest], failures }) => (
        <>
          <Text size="sm" lineClamp={2} miw={140} style={{ overflowWrap: "anywhere" }}>
            {first === undefined || rest.length > 0 ? strings.all(rest.length + 1) : nameOf(first)}
          </Text>
          <Failures messages={failures} />
        </>
      ),
    },
    { key: "with", header: strings.with, isNarrow: true, cell: ({ embedding }) => embedding },
    number("added"),
    number("updated"),
    number("skipped"),
    number("deleted"),
    {
      key: "failed",
      header: strings.failed,
      isNarrow: true,
      cell: ({ failures }) => (
        <Text size="sm" {...(failures.length > 0 && { c: "var(--mantine-color-error)" })}>
          {failures.length}
        </Text>
      ),
    },
  ];
}

const shownFailures = 3;

/** Why sources failed: the first few of them. */
function Failures({ messages }: { messages: readonly string[] }) {
  const different = [...new Set(messages)];
  const more = different.length - shownFailures;
  return (
    <>
      {different.slice(0, shownFailures).map((message) => (
        <Text key={message} size="xs" c="var(--mantine-color-error)" lineClamp={2}>
          {message}
        </Text>
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {documentStoresStrings.moreUsers(more)}
        </Text>
      )}
    </>
  );
}

/** An entry of a store's history. */
type PastUpsert = {
  id: string;
  date: string;
  loaderIds: readonly string[];
  embedding: string;
  added: number;
  updated: number;
  skipped: number;
  deleted: number;
  /** Why sources could not be loaded. */
  failures: readonly string[];
};

type Result = { numAdded?: number; numUpdated?: number; numSkipped?: number; numDeleted?: number };

/** Reads what the API gives as JSON text; what an entry of another client lacks is zero or empty. */
function toPastUpsert({ id, date, result, flowData }: UpsertHistoryRecord): PastUpsert {
  const counts = JSON.parse(result || "{}") as Result & { failed?: { message: string }[] };
  const what = JSON.parse(flowData || "{}") as { embedding?: string; loaders?: { docId: string }[] };
  return {
    id,
    date,
    loaderIds: (what.loaders ?? []).map(({ docId }) => docId),
    embedding: what.embedding ?? "",
    added: counts.numAdded ?? 0,
    updated: counts.numUpdated ?? 0,
    skipped: counts.numSkipped ?? 0,
    deleted: counts.numDeleted ?? 0,
    failures: (counts.failed ?? []).map(({ message }) => message),
  };
}
