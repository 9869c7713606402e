import { Anchor, Button, Group, Menu, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  Bot,
  Braces,
  ChevronDown,
  FileText,
  FolderOpen,
  Globe,
  type LucideIcon,
  Network,
  Plus,
  Text as TextIcon,
} from "lucide-react";
import { useState } from "react";
import { type LoaderView, loaderTypesQuery, type StoreView } from "../../../api/document-stores.ts";
import { formatNumber } from "../../../languages/index.ts";
import { commonStrings } from "../../../strings.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { type Column, DataTable } from "../../../ui/page/list-page.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { StoreStatus, WhereUsed } from "../store-parts.tsx";
import { documentStoresStrings as strings } from "../strings.ts";
import { FileDrop } from "../upload/file-drop.tsx";
import type { Upload } from "../upload/upload.ts";
import { upsertActions } from "../upsert-actions.ts";
import { LoaderMenu } from "./loader-menu.tsx";
import { UseInAgent } from "./use-in-agent.tsx";

/** The loaders of a store, with a drop zone for more files. */
export function DocumentsTab({ store, onUpsert }: { store: StoreView; onUpsert(id: string): void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (uploads: readonly Upload[]) => upsertActions.upload(store.id, uploads),
    onSuccess: onUpsert,
  });
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
      <Text size="sm" c="dimmed">
        {strings.usedBy}
      </Text>
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
            <Text size="xs" c="dimmed">
              {summary}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type LoaderTableProps = { store: StoreView; onUpsert(id: string): void };

/** The loaders of a store, each with its status and last error. */
function LoaderTable({ store: { id, loaders }, onUpsert }: LoaderTableProps) {
  return (
    <DataTable label={strings.loaders} columns={toColumns(id, onUpsert)} rows={loaders} idOf={(loader) => loader.id} />
  );
}

function toColumns(storeId: string, onUpsert: (id: string) => void): Column<LoaderView>[] {
  return [
    { key: "name", header: strings.source, cell: (loader) => <LoaderName storeId={storeId} loader={loader} /> },
    { key: "status", header: strings.status, isNarrow: true, cell: ({ status }) => <StoreStatus status={status} /> },
    {
      key: "chunks",
      header: strings.chunks,
      isNarrow: true,
      isNumber: true,
      cell: (loader) => <ChunkLink storeId={storeId} loader={loader} />,
    },
    {
      key: "updated",
      header: commonStrings.updated,
      isNarrow: true,
      cell: ({ updatedDate }) => <Moment at={updatedDate} />,
    },
    {
      key: "actions",
      header: <VisuallyHidden>{commonStrings.actions}</VisuallyHidden>,
      isNarrow: true,
      cell: (loader) => <LoaderMenu storeId={storeId} loader={loader} onUpsert={onUpsert} />,
    },
  ];
}

type CellProps = { storeId: string; loader: LoaderView };

function LoaderName({ storeId, loader: { id, type, name, source, files, error } }: CellProps) {
  const what =
    files.length > 1 ? commonStrings.labelled(strings.files(files.length), source) : source || strings.noSource;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Text c="dimmed" lh={1} mt={3}>
        <LoaderIcon type={type} />
      </Text>
      <div style={{ minWidth: 0 }}>
        <Anchor
          size="sm"
          fw={500}
          lineClamp={2}
          style={{ overflowWrap: "anywhere" }}
          renderRoot={(props) => (
            <Link {...props} to="/document-stores/$storeId/loaders/$loaderId" params={{ storeId, loaderId: id }} />
          )}
        >
          {name}
        </Anchor>
        {what !== name && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            {what}
          </Text>
        )}
        {error !== "" && (
          <Text size="sm" c="var(--mantine-color-error)" lineClamp={8} style={{ overflowWrap: "anywhere" }}>
            {error}
          </Text>
        )}
      </div>
    </Group>
  );
}

function ChunkLink({ storeId, loader: { id, totalChunks } }: CellProps) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link {...props} to="/document-stores/$storeId/loaders/$loaderId/chunks" params={{ storeId, loaderId: id }} />
      )}
    >
      {formatNumber(totalChunks)}
    </Anchor>
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
