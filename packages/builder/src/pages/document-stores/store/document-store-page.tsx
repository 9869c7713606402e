import { Anchor, Button, Group, Menu, Skeleton, Tabs, Text, Tooltip } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { UpsertJob } from "@weft/client";
import { ArrowLeft, Bot, Eraser, Pencil, RefreshCw, Trash2, UserRound } from "lucide-react";
import { useState } from "react";
import type { StoreView } from "../../../api/document-store-view.ts";
import { documentStoreQuery, upsertsQuery } from "../../../api/document-stores.ts";
import { errorSentence } from "../../../api/error-sentence.ts";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { notifyFailed } from "../../../components/notify.ts";
import { Page } from "../../../components/page.tsx";
import { RowMenu } from "../../../components/row-menu.tsx";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { StoreDialog } from "../store-dialog.tsx";
import { DeleteStore, StoreStatus } from "../store-parts.tsx";
import { DeleteVectors } from "./delete-vectors.tsx";
import { DocumentsTab } from "./documents-tab.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { QueryTab } from "./query-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { type StoreSearch, type StoreTab, storeTabs } from "./store-search.ts";
import { upsertActions } from "./upsert-actions.ts";
import { UpsertCard } from "./upsert-card.tsx";
import { UseInAgent } from "./use-in-agent.tsx";

/** A document store: its documents, queries, settings and history. */
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

/**
 * The upserts shown on a store's page: the running ones and, until dismissed, the one in the page's address, or else
 * the first that ran while the page was open.
 */
function useWatchedUpserts(named: string | undefined, upserts: readonly UpsertJob[] = []) {
  const [followed, setFollowed] = useState<string>();
  const [dismissed, setDismissed] = useState<string>();
  const running = upserts.filter(({ id, state }) => state === "RUNNING" && id !== dismissed).map(({ id }) => id);
  const next = named === undefined ? (followed ?? running[0]) : undefined;
  if (next !== followed) setFollowed(next);
  const first = named ?? next;
  return {
    watched: [...new Set(first === undefined ? running : [first, ...running])],
    dismiss(id: string) {
      setFollowed(undefined);
      setDismissed(id);
    },
  };
}

/** Actions for the whole store. */
function StoreActions({ store, onUpsert }: { store: StoreView; onUpsert(id: string): void }) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"use" | "edit" | "vectors" | "delete">();
  const close = () => setDialog(undefined);
  const { mutate, isPending } = useMutation({
    mutationFn: () => upsertActions.refresh(store.id),
    onSuccess: onUpsert,
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  return (
    <>
      {store.loaders.length > 0 && (
        <Tooltip label={strings.upsertAllHelp}>
          <Button leftSection={<RefreshCw size={16} aria-hidden />} loading={isPending} onClick={() => mutate()}>
            {strings.upsertAll}
          </Button>
        </Tooltip>
      )}
      <RowMenu name={store.name}>
        <Menu.Item leftSection={<Bot size={16} aria-hidden />} onClick={() => setDialog("use")}>
          {strings.actions.use}
        </Menu.Item>
        <Menu.Item
          leftSection={<UserRound size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/assistants/new", search: { store: store.id } })}
        >
          {strings.actions.newAssistant}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDialog("edit")}>
          {strings.actions.editStore}
        </Menu.Item>
        <Menu.Item leftSection={<Eraser size={16} aria-hidden />} onClick={() => setDialog("vectors")}>
          {strings.actions.deleteAllVectors}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={16} aria-hidden />} onClick={() => setDialog("delete")}>
          {strings.actions.deleteStore}
        </Menu.Item>
      </RowMenu>
      {dialog === "use" && <UseInAgent store={store} onClose={close} />}
      {dialog === "edit" && <StoreDialog store={store} onClose={close} />}
      {dialog === "vectors" && <DeleteVectors storeId={store.id} name={store.name} onClose={close} />}
      {dialog === "delete" && (
        <DeleteStore store={store} onDeleted={() => void navigate({ to: "/document-stores" })} onClose={close} />
      )}
    </>
  );
}
