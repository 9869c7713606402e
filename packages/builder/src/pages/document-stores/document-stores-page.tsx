import { useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { documentStoreKeys, documentStoresQuery, type StoreView } from "../../api/document-stores.ts";
import { UsedBy } from "../../connections/used-by.tsx";
import { LibraryBig } from "../../icons/icons.gen.ts";
import { formatNumber } from "../../languages/index.ts";
import { commonStrings, documentStoresStrings as strings } from "../../strings.ts";
import { TextLink } from "../../ui/controls/links.tsx";
import { type Column, updatedColumn } from "../../ui/list/list-page.tsx";
import { ResourcePage } from "../../ui/list/resource-page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { StoreDialog, StoreStatus, WhereUsed } from "./store-parts.tsx";

export function DocumentStoresPage() {
  return (
    <ResourcePage
      strings={strings}
      icon={LibraryBig}
      writes="document-stores:write"
      query={useQuery(documentStoresQuery)}
      columns={columns}
      nameOf={({ name }) => name}
      searchIn={({ name, description }) => `${name} ${description}`}
      create={(onClose) => <StoreDialog onClose={onClose} />}
      edit={(store, onClose) => <StoreDialog store={store} onClose={onClose} />}
      remove={({ id }) => client.deleteDocumentStore({ id })}
      stale={[documentStoreKeys.all]}
      usersOf={({ whereUsed }) => whereUsed.length}
      details={({ id }) => <UsedBy kind="document-store" id={id} />}
    />
  );
}

const columns: readonly Column<StoreView>[] = [
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
];

function StoreName({ store: { id, name, description } }: { store: StoreView }) {
  return (
    <>
      <TextLink
        to="/document-stores/$storeId"
        params={{ storeId: id }}
        fw={500}
        lineClamp={2}
        style={{ overflowWrap: "anywhere" }}
      >
        {name}
      </TextLink>
      <Hint lineClamp={1} style={{ overflowWrap: "anywhere" }}>
        {description}
      </Hint>
    </>
  );
}
