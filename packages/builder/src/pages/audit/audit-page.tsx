import { Badge, Code, Group, Text, TextInput } from "@mantine/core";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { AuditEntry } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { useMay } from "../../api/settings.ts";
import { Download, FilterX, LockKeyhole, ScrollText } from "../../icons/icons.gen.ts";
import { auditStrings } from "../../strings.ts";
import { Moment } from "../../ui/content/time.tsx";
import { Action } from "../../ui/controls/actions.tsx";
import { BackLink, TextLink } from "../../ui/controls/links.tsx";
import { downloadFile } from "../../ui/download-text.ts";
import { type Column, DataTable } from "../../ui/list/list-page.tsx";
import { ListBody } from "../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../ui/page/page.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { TextFilter } from "../../ui/text/text-filter.tsx";
import { type AuditSearch, toAuditFilter } from "./audit-search.ts";
import { ThingLink } from "./thing-link.tsx";

const perPage = 50;

const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ["audit", search],
    initialPageParam: undefined as number | undefined,
    staleTime: 0,
    queryFn: ({ pageParam: before, signal }) =>
      client.getAuditLog(
        { ...toAuditFilter(search), limit: perPage, ...(before !== undefined && { before }) },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** Who did what to which thing, the newest first. */
export function AuditPage() {
  const mayRead = useMay()("audit:read");
  const { title, summary, toSettings, deniedTitle, deniedText } = auditStrings;
  return (
    <Page
      title={title}
      summary={mayRead ? summary : <BackLink to="/settings" label={toSettings} />}
      actions={mayRead && <ExportButtons />}
    >
      {mayRead ? <AuditLog /> : <EmptyState icon={LockKeyhole} title={deniedTitle} text={deniedText} />}
    </Page>
  );
}

function AuditLog() {
  const search = useSearch({ from: "/settings/audit" });
  const query = useInfiniteQuery(auditQuery(search));
  const { emptyTitle, emptyText, nothingTitle, nothingText } = auditStrings;
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <Filters search={search} isFiltered={isFiltered} />
      <ListBody query={query}>
        {({ pages }) => {
          const entries = pages.flatMap(({ data }) => data);
          if (entries.length === 0)
            return (
              <EmptyState
                icon={ScrollText}
                title={isFiltered ? nothingTitle : emptyTitle}
                text={isFiltered ? nothingText : emptyText}
              />
            );
          return (
            <>
              <DataTable label={auditStrings.title} columns={columns} rows={entries} idOf={({ seq }) => String(seq)} />
              {query.hasNextPage && (
                <Group justify="center" mt="md">
                  <Action
                    label={auditStrings.more}
                    onClick={() => void query.fetchNextPage()}
                    loading={query.isFetchingNextPage}
                  />
                </Group>
              )}
            </>
          );
        }}
      </ListBody>
    </>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { key: "when", header: auditStrings.when, isNarrow: true, cell: ({ date }) => <Moment at={date} /> },
  { key: "who", header: auditStrings.who, cell: ({ actor }) => <Actor actor={actor} /> },
  { key: "what", header: auditStrings.what, cell: (entry) => <Deed entry={entry} /> },
  { key: "thing", header: auditStrings.thing, cell: (entry) => <ThingLink entry={entry} /> },
  { key: "address", header: auditStrings.address, isNarrow: true, cell: ({ address }) => <Hint>{address}</Hint> },
];

/** Leads to everything else that they did. */
function Actor({ actor: { kind, id, name } }: { actor: AuditEntry["actor"] }) {
  if (kind === "nobody") return <Hint>{auditStrings.nobody}</Hint>;
  return (
    <>
      <TextLink to="/settings/audit" search={{ actor: id || name }}>
        {kind === "operator" ? auditStrings.operator : name}
      </TextLink>
      {kind === "api-key" && <Hint>{auditStrings.apiKey}</Hint>}
    </>
  );
}

function Deed({ entry: { action, outcome, fields, omitted } }: { entry: AuditEntry }) {
  return (
    <>
      <Group gap="xs">
        <Code>{action}</Code>
        {outcome !== "done" && (
          <Badge variant="light" color={outcome === "failed" ? "red" : "orange"} tt="none">
            {auditStrings.outcomes[outcome]}
          </Badge>
        )}
      </Group>
      {fields.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {fields.join(", ")}
        </Text>
      )}
      {omitted > 0 && <Hint>{auditStrings.omitted({ count: omitted })}</Hint>}
    </>
  );
}

function Filters({ search, isFiltered }: { search: AuditSearch; isFiltered: boolean }) {
  const navigate = useNavigate({ from: "/settings/audit" });
  const [clears, setClears] = useState(0);
  const change = (name: keyof AuditSearch, value: string) => {
    const { [name]: _former, ...rest } = search;
    void navigate({ search: value === "" ? rest : { ...rest, [name]: value }, replace: true });
  };
  const clear = () => {
    setClears((count) => count + 1);
    void navigate({ search: {}, replace: true });
  };
  const text = (name: "actor" | "action" | "thing", { label, placeholder }: { label: string; placeholder: string }) => (
    <TextFilter
      key={`${name} ${clears}`}
      label={label}
      placeholder={placeholder}
      value={search[name] ?? ""}
      width={190}
      onChange={(value) => change(name, value)}
    />
  );
  const { who, actorHint, what, actionHint, thing, thingHint, from, until } = auditStrings;
  return (
    <Group gap="sm" align="end" mb="md">
      {text("actor", { label: who, placeholder: actorHint })}
      {text("action", { label: what, placeholder: actionHint })}
      {text("thing", { label: thing, placeholder: thingHint })}
      {(["from", "until"] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === "from" ? from : until}
          w={140}
          value={search[name] ?? ""}
          onChange={({ currentTarget }) => change(name, currentTarget.value)}
        />
      ))}
      {isFiltered && (
        <Action icon={FilterX} label={auditStrings.clearFilters} variant="subtle" color="gray" onClick={clear} />
      )}
    </Group>
  );
}

/** They download what the filters let through. */
function ExportButtons() {
  const search = useSearch({ from: "/settings/audit" });
  return (
    <Group gap="sm">
      <ExportButton search={search} format="csv" label={auditStrings.exportCsv} />
      <ExportButton search={search} format="ndjson" label={auditStrings.exportJson} />
    </Group>
  );
}

type ExportButtonProps = { search: AuditSearch; format: "csv" | "ndjson"; label: string };

function ExportButton({ search, format, label }: ExportButtonProps) {
  const exporting = useRequest(() => client.exportAudit({ ...toAuditFilter(search), format }), {
    next: (file) => downloadFile(`weft-audit.${format}`, file),
    isLoud: true,
  });
  return <Action icon={Download} label={label} runs={exporting} />;
}
