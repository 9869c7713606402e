import { Anchor, Group, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { LoaderView, StoreView } from "../../../api/document-store-view.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Moment } from "../../../components/moment.tsx";
import { commonStrings } from "../../../strings/common.ts";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { StoreStatus } from "../store-status.tsx";
import { LoaderIcon } from "./loader-icon.tsx";
import { LoaderMenu } from "./loader-menu.tsx";

type Props = { store: StoreView; onUpsert(id: string): void };

/** The loaders of a store, each with how it stands and what went wrong the last time. */
export function LoaderTable({ store: { id, loaders }, onUpsert }: Props) {
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
  const what = files.length > 1 ? `${strings.files(files.length)}: ${source}` : source || strings.noSource;
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
      {totalChunks.toLocaleString("en")}
    </Anchor>
  );
}
