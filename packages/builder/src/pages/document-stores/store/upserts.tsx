import { Group, Progress, Skeleton, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { UpsertHistoryRecord, UpsertJob } from "@weft/client";
import { type Json, parseJsonObject, textOrEmpty, toJsonList, toJsonObject } from "@weft/schema";
import { useEffect, useState } from "react";
import { client } from "../../../api/client.ts";
import { documentStoreKeys, followUpsert, type StoreView, upsertHistoryQuery } from "../../../api/document-stores.ts";
import type { LucideIcon } from "../../../icons/create-icon.ts";
import { CircleCheck, CircleDashed, CircleSlash, CircleX, History } from "../../../icons/icons.gen.ts";
import { formatNumber } from "../../../languages/index.ts";
import { documentStoresStrings } from "../../../strings.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { Action } from "../../../ui/controls/actions.tsx";
import { type Column, DataTable } from "../../../ui/list/list-page.tsx";
import { ErrorNotice, ListBody } from "../../../ui/page/notices.tsx";
import { EmptyState } from "../../../ui/page/page.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { SourceFailures } from "../source-failures.tsx";
import { type UpsertPhase, upsertPhase } from "../upsert-actions.ts";
import classes from "./upsert-card.module.css";

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
    cell: (past) => formatNumber(past[key]),
  });
  return [
    { key: "when", header: strings.when, isNarrow: true, cell: ({ date }) => <Moment at={date} /> },
    {
      key: "what",
      header: strings.what,
      cell: ({ loaderIds: [first, ...rest], failures }) => (
        <>
          <Text size="sm" lineClamp={2} miw={140} style={{ overflowWrap: "anywhere" }}>
            {first === undefined || rest.length > 0 ? strings.all({ number: rest.length + 1 }) : nameOf(first)}
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
      {more > 0 && <Hint size="xs">{documentStoresStrings.moreUsers({ more })}</Hint>}
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

/** Reads what the API gives as JSON text; what an entry of another client lacks is zero or empty. */
function toPastUpsert({ id, date, result, flowData }: UpsertHistoryRecord): PastUpsert {
  const { numAdded, numUpdated, numSkipped, numDeleted, failed } = parseJsonObject(result) ?? {};
  const { embedding, loaders } = parseJsonObject(flowData) ?? {};
  const textsOf = (list: Json | undefined, name: string) =>
    toJsonList(list).map((one) => textOrEmpty(toJsonObject(one)[name]));
  return {
    id,
    date,
    loaderIds: textsOf(loaders, "docId"),
    embedding: textOrEmpty(embedding),
    added: Number(numAdded ?? 0),
    updated: Number(numUpdated ?? 0),
    skipped: Number(numSkipped ?? 0),
    deleted: Number(numDeleted ?? 0),
    failures: textsOf(failed, "message"),
  };
}

const progress = documentStoresStrings.progress;

const icons: Record<UpsertPhase, LucideIcon> = {
  loading: CircleDashed,
  upserting: CircleDashed,
  upserted: CircleCheck,
  processed: CircleCheck,
  failed: CircleX,
  cancelled: CircleSlash,
};

/** One upsert: its progress and its result. */
export function UpsertCard({ id, onDismiss, onQuery }: { id: string; onDismiss(): void; onQuery(): void }) {
  const { job, error } = useUpsert(id);
  if (job === undefined) return error ? <ErrorNotice error={error} /> : <Skeleton height={180} radius="lg" />;
  const phase = upsertPhase(job);
  const Icon = icons[phase];
  const isRunning = job.state === "RUNNING";
  return (
    <section className={classes.card} aria-label={progress.titles[phase]}>
      <Group justify="space-between">
        <div role="status">
          <Title order={2} className={classes.title} data-phase={phase}>
            <Icon size={18} aria-hidden className={classes.icon} /> {progress.titles[phase]}
          </Title>
        </div>
        {isRunning ? <CancelButton id={id} /> : <OverButtons job={job} onDismiss={onDismiss} onQuery={onQuery} />}
      </Group>
      {isRunning && <UpsertBar job={job} phase={phase} />}
      <Numbers job={job} />
      <Outcome job={job} phase={phase} />
      <ErrorNotice error={error} />
      <SourceFailures failures={job.failed} />
    </section>
  );
}

function CancelButton({ id }: { id: string }) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.cancelUpsert({ id }),
    onSuccess: (job) => queries.setQueryData(documentStoreKeys.upsert(id), job),
  });
  return (
    <>
      <ErrorNotice error={error} />
      <Action label={progress.cancel} size="xs" runs={{ mutate, isPending }} />
    </>
  );
}

function OverButtons({ job, onDismiss, onQuery }: { job: UpsertJob; onDismiss(): void; onQuery(): void }) {
  return (
    <Group gap="xs">
      {job.state === "FINISHED" && job.written > 0 && <Action label={progress.tryQuery} size="xs" onClick={onQuery} />}
      <Action label={progress.dismiss} size="xs" onClick={onDismiss} />
    </Group>
  );
}

function Numbers({ job }: { job: UpsertJob }) {
  const numbers = [
    [progress.documents, job.documents],
    [progress.chunks, job.chunks],
    [progress.embedded, job.embedded],
    [progress.written, job.written],
  ] as const;
  return (
    <dl className={classes.numbers}>
      {numbers.map(([name, number]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatNumber(number)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Outcome({ job: { results, error, chunks, written }, phase }: { job: UpsertJob; phase: UpsertPhase }) {
  const sum = (key: "numAdded" | "numUpdated" | "numSkipped" | "numDeleted") =>
    results.reduce((total, result) => total + result[key], 0);
  switch (phase) {
    case "failed":
      return (
        <Text size="sm" role="alert">
          {error?.message}
        </Text>
      );
    case "cancelled":
      return <Text size="sm">{progress.cancelled({ written })}</Text>;
    case "processed":
      return <Text size="sm">{progress.processed({ chunks })}</Text>;
    case "upserted": {
      const text = progress.result({
        added: sum("numAdded"),
        updated: sum("numUpdated"),
        skipped: sum("numSkipped"),
        deleted: sum("numDeleted"),
      });
      return <Text size="sm">{text}</Text>;
    }
    default:
      return null;
  }
}

/** An upsert, live while it runs and restored after a reload. Refetches the changed data when it ends. */
function useUpsert(id: string): { job: UpsertJob | undefined; error: unknown } {
  const queries = useQueryClient();
  const [broken, setBroken] = useState<unknown>();
  const { data: job, error } = useQuery({
    queryKey: documentStoreKeys.upsert(id),
    queryFn: ({ signal }) => client.getUpsert({ id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isRunning = job?.state === "RUNNING";
  const storeId = job?.storeId;
  useEffect(() => {
    // Refetches the store, also if the upsert ended before the page was opened.
    if (storeId !== undefined) void queries.invalidateQueries({ queryKey: documentStoreKeys.one(storeId) });
  }, [storeId, queries]);
  useEffect(() => {
    if (!isRunning) return;
    const controller = new AbortController();
    const follow = async () => {
      for await (const next of followUpsert(id, controller.signal)) {
        queries.setQueryData(documentStoreKeys.upsert(id), next);
      }
    };
    follow()
      .catch((cause: unknown) => {
        if (!controller.signal.aborted) setBroken(cause);
      })
      // Also after leaving the page early: other pages still show the previous data.
      .finally(() => queries.invalidateQueries({ queryKey: documentStoreKeys.all }));
    return () => controller.abort();
  }, [id, isRunning, queries]);
  return { job, error: error ?? broken };
}

/** The total is unknown while a source is loading, so the bar is indeterminate. */
function UpsertBar({ job: { planned, written }, phase }: { job: UpsertJob; phase: UpsertPhase }) {
  const isKnown = phase === "upserting";
  return (
    <div>
      {isKnown ? (
        <Progress value={(written / planned) * 100} size="md" aria-label={progress.label} />
      ) : (
        <div className={classes.unknown} role="progressbar" aria-label={progress.label} />
      )}
      <Hint mt={6}>{isKnown ? progress.writing({ written, planned }) : progress.loading}</Hint>
    </div>
  );
}
