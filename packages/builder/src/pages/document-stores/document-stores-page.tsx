import { Anchor, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { documentStoresQuery, type StoreView } from "../../api/document-stores.ts";
import { LibraryBig, Plus } from "../../icons/icons.gen.ts";
import { formatNumber } from "../../languages/index.ts";
import { commonStrings, documentStoresStrings as strings } from "../../strings.ts";
import {
  actionsColumn,
  type Column,
  EditDeleteMenu,
  ListPage,
  SearchedTable,
  updatedColumn,
} from "../../ui/page/list-page.tsx";
import { DeleteStore, StoreDialog, StoreStatus, WhereUsed } from "./store-parts.tsx";

type Dialog = { kind: "create" } | { kind: "edit" | "delete"; store: StoreView };

/** Every document store, and a way to a new one. */
export function DocumentStoresPage() {
  const stores = useQuery(documentStoresQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const createButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog({ kind: "create" })}>
      {strings.create}
    </Button>
  );
  return (
    <ListPage
      strings={strings}
      icon={LibraryBig}
      query={stores}
      action={createButton}
      list={(rows) => (
        <SearchedTable
          label={strings.title}
          searchLabel={strings.search}
          textOf={({ name, description }) => `${name} ${description}`}
          columns={toColumns((kind, store) => setDialog({ kind, store }))}
          rows={rows}
          idOf={({ id }) => id}
        />
      )}
    >
      {dialog?.kind === "create" && <StoreDialog onClose={close} />}
      {dialog?.kind === "edit" && <StoreDialog store={dialog.store} onClose={close} />}
      {dialog?.kind === "delete" && <DeleteStore store={dialog.store} onClose={close} />}
    </ListPage>
  );
}

type OnOpen = (kind: "edit" | "delete", store: StoreView) => void;

function toColumns(onOpen: OnOpen): Column<StoreView>[] {
  return [
    { key: "name", header: commonStrings.name, cell: (store) => <StoreName store={store} /> },
    { key: "status", header: strings.status, isNarrow: true, cell: ({ status }) => <StoreStatus status={status} /> },
    { key: "loaders", header: strings.loaders, isNarrow: true, isNumber: true, cell: ({ loaders }) => loaders.length },
    {
      key: "chunks",
      header: strings.chunks,
      isNarrow: true,
      isNumber: true,
      cell: ({ totalChunks }) => formatNumber(totalChunks),
    },
    { key: "used", header: strings.usedBy, cell: ({ whereUsed }) => <WhereUsed ids={whereUsed} /> },
    updatedColumn(),
    actionsColumn((store) => (
      <EditDeleteMenu name={store.name} onEdit={() => onOpen("edit", store)} onDelete={() => onOpen("delete", store)} />
    )),
  ];
}

function StoreName({ store: { id, name, description } }: { store: StoreView }) {
  return (
    <>
      <Anchor
        size="sm"
        fw={500}
        lineClamp={2}
        style={{ overflowWrap: "anywhere" }}
        renderRoot={(props) => <Link {...props} to="/document-stores/$storeId" params={{ storeId: id }} />}
      >
        {name}
      </Anchor>
      <Text size="sm" c="dimmed" lineClamp={1} style={{ overflowWrap: "anywhere" }}>
        {description}
      </Text>
    </>
  );
}
