import { Button, Group, Progress, Skeleton, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { UpsertJob } from "@weft/client";
import { CircleCheck, CircleDashed, CircleSlash, CircleX, type LucideIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { client } from "../../../api/client.ts";
import { documentStoreKeys, followUpsert } from "../../../api/document-stores.ts";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { SourceFailures } from "./source-failures.tsx";
import classes from "./upsert-card.module.css";
import { type UpsertPhase, upsertPhase } from "./upsert-phase.ts";

const strings = documentStoresStrings.progress;

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
    <section className={classes.card} aria-label={strings.titles[phase]}>
      <Group justify="space-between">
        <div role="status">
          <Title order={2} className={classes.title} data-phase={phase}>
            <Icon size={18} aria-hidden className={classes.icon} /> {strings.titles[phase]}
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
      <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
        {strings.cancel}
      </Button>
    </>
  );
}

function OverButtons({ job, onDismiss, onQuery }: { job: UpsertJob; onDismiss(): void; onQuery(): void }) {
  return (
    <Group gap="xs">
      {job.state === "FINISHED" && job.written > 0 && (
        <Button size="xs" variant="default" onClick={onQuery}>
          {strings.tryQuery}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={onDismiss}>
        {strings.dismiss}
      </Button>
    </Group>
  );
}

function Numbers({ job }: { job: UpsertJob }) {
  const numbers = [
    [strings.documents, job.documents],
    [strings.chunks, job.chunks],
    [strings.embedded, job.embedded],
    [strings.written, job.written],
  ] as const;
  return (
    <dl className={classes.numbers}>
      {numbers.map(([name, number]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{number.toLocaleString("en")}</dd>
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
      return <Text size="sm">{strings.cancelled(written)}</Text>;
    case "processed":
      return <Text size="sm">{strings.processed(chunks)}</Text>;
    case "upserted": {
      const text = strings.result(sum("numAdded"), sum("numUpdated"), sum("numSkipped"), sum("numDeleted"));
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
        <Progress value={(written / planned) * 100} size="md" aria-label={strings.label} />
      ) : (
        <div className={classes.unknown} role="progressbar" aria-label={strings.label} />
      )}
      <Text size="sm" c="dimmed" mt={6}>
        {isKnown ? strings.writing(written, planned) : strings.loading}
      </Text>
    </div>
  );
}
