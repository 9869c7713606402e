import { Anchor, Group, Skeleton, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { StoreView } from "../../../api/document-store-view.ts";
import { documentStoreQuery, upsertsQuery } from "../../../api/document-stores.ts";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { Page } from "../../../components/page.tsx";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { StoreStatus } from "../store-status.tsx";
import { DocumentsTab } from "./documents-tab.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { QueryTab } from "./query-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { StoreActions } from "./store-actions.tsx";
import { type StoreSearch, type StoreTab, storeTabs } from "./store-search.ts";
import { UpsertCard } from "./upsert-card.tsx";
import { useWatchedUpserts } from "./use-watched-upserts.ts";

/** One document store: what is in it, what it finds, and what it is made of. */
export function DocumentStorePage() {
  const { storeId } = useParams({ from: "/document-stores/$storeId" });
  const { data: store, error, refetch } = useQuery({ ...documentStoreQuery(storeId), staleTime: 0 });
  if (store === undefined) {
    return (
      <Page title={strings.title} summary={<BackLink />}>
        {error === null ? <Skeleton height={360} /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return <Store key={store.id} store={store} />;
}

function Store({ store }: { store: StoreView }) {
  const search = useSearch({ from: "/document-stores/$storeId" });
  const navigate = useNavigate({ from: "/document-stores/$storeId" });
  const { data: upserts } = useQuery(upsertsQuery(store.id));
  const { watched, dismiss } = useWatchedUpserts(search.upsert, upserts);
  const show = (next: StoreSearch) => void navigate({ search: next, replace: true });
  const watch = (upsert: string) => show({ ...search, upsert });
  const open = (tab: StoreTab) => {
    const { tab: _, ...rest } = search;
    show(tab === "documents" ? rest : { ...rest, tab });
  };
  return (
    <Page
      title={store.name}
      summary={
        <>
          {store.description && (
            <Text span inherit lineClamp={3}>
              {store.description}
            </Text>
          )}
          <BackLink />
        </>
      }
      actions={
        <Group gap="sm">
          <StoreStatus status={store.status} />
          <StoreActions store={store} onUpsert={watch} />
        </Group>
      }
    >
      {watched.map((id) => (
        <UpsertCard
          key={id}
          id={id}
          onDismiss={() => {
            dismiss(id);
            if (id === search.upsert) show(search.tab === undefined ? {} : { tab: search.tab });
          }}
          onQuery={() => open("query")}
        />
      ))}
      <Tabs value={search.tab ?? "documents"} onChange={(tab) => open(tab as StoreTab)} keepMounted={false}>
        <Tabs.List mb="lg">
          {storeTabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {strings.tabs[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="documents">
          <DocumentsTab store={store} onUpsert={watch} />
        </Tabs.Panel>
        <Tabs.Panel value="query" keepMounted>
          <QueryTab store={store} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" keepMounted>
          <SettingsTab store={store} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistoryTab store={store} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function BackLink() {
  return (
    <Anchor size="sm" c="dimmed" renderRoot={(props) => <Link {...props} to="/document-stores" />}>
      <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} /> {strings.back}
    </Anchor>
  );
}
