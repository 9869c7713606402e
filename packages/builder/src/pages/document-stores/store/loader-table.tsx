import { Anchor, Group, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Braces, FileText, FolderOpen, Globe, type LucideIcon, Network, Text as TextIcon } from "lucide-react";
import type { LoaderView, StoreView } from "../../../api/document-stores.ts";
import { formatNumber } from "../../../languages/index.ts";
import { commonStrings } from "../../../strings.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { type Column, DataTable } from "../../../ui/page/list-page.tsx";
import { StoreStatus } from "../store-parts.tsx";
import { documentStoresStrings as strings } from "../strings.ts";
import { LoaderMenu } from "./loader-menu.tsx";

type LoaderTableProps = { store: StoreView; onUpsert(id: string): void };

/** The loaders of a store, each with its status and last error. */
export function LoaderTable({ store: { id, loaders }, onUpsert }: LoaderTableProps) {
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
export function LoaderIcon({ type }: { type: string }) {
  const Icon = icons[type] ?? FileText;
  return <Icon size={16} aria-hidden />;
}
