import { Button, Group, Menu, Select, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type LoaderView, loaderTypesQuery, type StoreView } from "../../../api/document-stores.ts";
import type { LucideIcon } from "../../../icons/create-icon.ts";
import {
  Bot,
  Braces,
  ChevronDown,
  FileText,
  FolderOpen,
  Globe,
  Network,
  Plus,
  Text as TextIcon,
} from "../../../icons/icons.gen.ts";
import { formatList, formatNumber } from "../../../languages/index.ts";
import { commonStrings, documentStoresStrings as strings } from "../../../strings.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { TextLink } from "../../../ui/controls/links.tsx";
import { type Column, DataTable, PageTurner, SearchInput } from "../../../ui/list/list-page.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import { StoreStatus, WhereUsed } from "../store-parts.tsx";
import { FileDrop } from "../upload/file-drop.tsx";
import type { Upload } from "../upload/upload.ts";
import { upsertActions } from "../upsert-actions.ts";
import { RemoveCopies, SameText } from "./copies.tsx";
import { type EarlierText, earlierTexts, type FoundLoader, findLoaders, type LoaderFilter } from "./find-loaders.ts";
import { LoaderMenu } from "./loader-menu.tsx";
import { UseInAgent } from "./use-in-agent.tsx";

export function DocumentsTab({ store, onUpsert }: { store: StoreView; onUpsert(id: string): void }) {
  const { mutate, isPending, error } = useRequest(
    (uploads: readonly Upload[]) => upsertActions.upload(store.id, uploads),
    {
      next: onUpsert,
    },
  );
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <WhereUsedLine store={store} />
        <AddMenu storeId={store.id} />
      </Group>
      <FileDrop text={strings.upload.or} isBusy={isPending} onFiles={mutate} />
      <ErrorNotice error={error} />
      {store.loaders.length > 0 && <LoaderTable store={store} onUpsert={onUpsert} />}
    </Stack>
  );
}

/** Who searches a store, and the way to another one. */
function WhereUsedLine({ store }: { store: StoreView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Group gap={6}>
      <Hint>{strings.usedBy}</Hint>
      <WhereUsed ids={store.whereUsed} />
      {store.loaders.length > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Bot size={16} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {strings.actions.use}
        </Button>
      )}
      {isOpen && <UseInAgent store={store} onClose={() => setOpen(false)} />}
    </Group>
  );
}

/** Every kind of loader that the server has; each opens its form. */
function AddMenu({ storeId }: { storeId: string }) {
  const navigate = useNavigate();
  const { data: types } = useQuery(loaderTypesQuery);
  return (
    <Menu position="bottom-end" width={340}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          rightSection={<ChevronDown size={14} aria-hidden />}
        >
          {strings.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {types === undefined && <Menu.Item disabled>{commonStrings.loading}</Menu.Item>}
        {types?.map(({ name, title, summary }) => (
          <Menu.Item
            key={name}
            leftSection={<LoaderIcon type={name} />}
            onClick={() =>
              void navigate({
                to: "/document-stores/$storeId/loaders/new",
                params: { storeId },
                search: { type: name },
              })
            }
          >
            {title}
            <Hint size="xs">{summary}</Hint>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type LoaderTableProps = { store: StoreView; onUpsert(id: string): void };

/** The loaders of a store, each with its status and last error: many are searched, filtered and turned page by page. */
function LoaderTable({ store: { id, loaders }, onUpsert }: LoaderTableProps) {
  const [filter, setFilter] = useState<LoaderFilter>({ words: "", status: null });
  const [page, setPage] = useState(1);
  const found = useMemo(() => findLoaders(loaders, filter), [loaders, filter]);
  const textsOf = useMemo(() => earlierTexts(loaders), [loaders]);
  const copies = useMemo(() => loaders.filter(({ isCopy }) => isCopy), [loaders]);
  const change = (changed: Partial<LoaderFilter>) => {
    setFilter({ ...filter, ...changed });
    setPage(1);
  };
  const isFiltered =
    copies.length > 0 ||
    filter.status === "copies" ||
    loaders.length > fewDocuments ||
    loaders.some(({ files }) => files.length > fewDocuments);
  const shown = found.slice((page - 1) * rowsPerPage, page * rowsPerPage);
  return (
    <Stack gap="sm">
      {isFiltered && (
        <Group justify="space-between" gap="sm">
          <LoaderFilters loaders={loaders} filter={filter} onChange={change} />
          <RemoveCopies storeId={id} copies={copies} />
        </Group>
      )}
      {found.length === 0 ? (
        <Text c="dimmed" role="status">
          {strings.noneMatch}
        </Text>
      ) : (
        <DataTable
          label={strings.loaders}
          columns={toColumns(id, onUpsert, textsOf)}
          rows={shown}
          idOf={({ loader }) => loader.id}
        />
      )}
      <PageTurner strings={strings.chunk} page={page} perPage={rowsPerPage} total={found.length} onPage={setPage} />
    </Stack>
  );
}

const rowsPerPage = 100;
/** As many are seen at a glance. */
const fewDocuments = 10;

type FilterProps = {
  loaders: readonly LoaderView[];
  filter: LoaderFilter;
  onChange(changed: Partial<LoaderFilter>): void;
};

function LoaderFilters({ loaders, filter, onChange }: FilterProps) {
  const counts = Map.groupBy(loaders, ({ status }) => status);
  const states = [...counts].map(([status, { length }]) => toChoice(status, strings.statuses[status], length));
  const copies = loaders.filter(({ isCopy }) => isCopy).length;
  if (copies > 0 || filter.status === "copies") {
    states.push(toChoice("copies", strings.copies.filter, copies));
  }
  return (
    <Group gap="sm">
      <SearchInput label={strings.searchDocuments} value={filter.words} onChange={(words) => onChange({ words })} />
      <Select
        aria-label={strings.status}
        placeholder={strings.anyStatus}
        clearable
        data={states}
        value={filter.status}
        onChange={(status) => onChange({ status })}
        w={{ base: "100%", xs: 220 }}
      />
    </Group>
  );
}

function toChoice(value: NonNullable<LoaderFilter["status"]>, label: string, count: number) {
  return { value, label: commonStrings.labelled({ label, value: formatNumber(count) }) };
}

function toColumns(
  storeId: string,
  onUpsert: (id: string) => void,
  textsOf: (loader: LoaderView) => EarlierText[],
): Column<FoundLoader>[] {
  return [
    {
      key: "name",
      header: strings.source,
      cell: (found) => <LoaderName storeId={storeId} {...found} texts={textsOf(found.loader)} />,
    },
    {
      key: "status",
      header: strings.status,
      isNarrow: true,
      cell: ({ loader }) => <StoreStatus status={loader.status} />,
    },
    {
      key: "chunks",
      header: strings.chunks,
      isNarrow: true,
      isNumber: true,
      cell: ({ loader }) => <ChunkLink storeId={storeId} loader={loader} />,
    },
    {
      key: "updated",
      header: commonStrings.updated,
      isNarrow: true,
      cell: ({ loader }) => <Moment at={loader.updatedDate} />,
    },
    {
      key: "actions",
      header: <VisuallyHidden>{commonStrings.actions}</VisuallyHidden>,
      isNarrow: true,
      cell: ({ loader }) => <LoaderMenu storeId={storeId} loader={loader} onUpsert={onUpsert} />,
    },
  ];
}

type CellProps = { storeId: string; loader: LoaderView };

type NameProps = CellProps & Pick<FoundLoader, "fileNames"> & { texts: readonly EarlierText[] };

function LoaderName({ storeId, loader, fileNames, texts }: NameProps) {
  const { id, type, name, source, files, error } = loader;
  const isOnly = texts.length === 1 && (loader.isCopy || files.length === 1 || type === "plain-text");
  const what =
    files.length > 1
      ? commonStrings.labelled({ label: strings.files({ number: files.length }), value: source })
      : source || strings.noSource;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Text c="dimmed" lh={1} mt={3}>
        <LoaderIcon type={type} />
      </Text>
      <div style={{ minWidth: 0 }}>
        <TextLink
          to="/document-stores/$storeId/loaders/$loaderId"
          params={{ storeId, loaderId: id }}
          fw={500}
          lineClamp={2}
          style={{ overflowWrap: "anywhere" }}
        >
          {name}
        </TextLink>
        {what !== name && <Hint lineClamp={1}>{what}</Hint>}
        {fileNames.length > 0 && (
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {strings.filesFound({ number: fileNames.length, names: formatList(fileNames.slice(0, namesShown)) })}
          </Text>
        )}
        <SameText storeId={storeId} texts={texts} isOnly={isOnly} />
        {error !== "" && (
          <Text size="sm" c="var(--mantine-color-error)" lineClamp={8} style={{ overflowWrap: "anywhere" }}>
            {error}
          </Text>
        )}
      </div>
    </Group>
  );
}

const namesShown = 5;

function ChunkLink({ storeId, loader: { id, totalChunks } }: CellProps) {
  return (
    <TextLink to="/document-stores/$storeId/loaders/$loaderId/chunks" params={{ storeId, loaderId: id }}>
      {formatNumber(totalChunks)}
    </TextLink>
  );
}

const icons: Readonly<Record<string, LucideIcon | undefined>> = {
  "plain-text": TextIcon,
  folder: FolderOpen,
  "web-page": Globe,
  "site-crawl": Network,
  "http-api": Braces,
};

/** The icon of a loader type; a document if it has none. */
function LoaderIcon({ type }: { type: string }) {
  const Icon = icons[type] ?? FileText;
  return <Icon size={16} aria-hidden />;
}
