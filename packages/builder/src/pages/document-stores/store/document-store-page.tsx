import { Alert, Group, Menu, Stack, Tabs, Text, Tooltip } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { UpsertJob } from "@weft/client";
import { useState } from "react";
import { client } from "../../../api/client.ts";
import {
  documentStoreKeys,
  documentStoreQuery,
  embeddingsQuery,
  recordManagersQuery,
  StoreChangedError,
  type StoreView,
  saveDocumentStore,
  upsertsQuery,
  vectorStoresQuery,
} from "../../../api/document-stores.ts";
import { UsedBy } from "../../../connections/used-by.tsx";
import { Bot, Eraser, Pencil, RefreshCw, Save, Trash2, UserRound } from "../../../icons/icons.gen.ts";
import {
  documentStoresStrings,
  errorStrings,
  storeQuestionsStrings,
  documentStoresStrings as strings,
} from "../../../strings.ts";
import { Action, MenuAction } from "../../../ui/controls/actions.tsx";
import { BackLink } from "../../../ui/controls/links.tsx";
import { RowMenu } from "../../../ui/list/list-page.tsx";
import { ConfirmDialog } from "../../../ui/page/dialogs.tsx";
import { LeaveGuard, LoadedPage } from "../../../ui/page/draft-page.tsx";
import { ErrorNotice, notifyDone } from "../../../ui/page/notices.tsx";
import { Page, Section } from "../../../ui/page/page.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import { ComponentChoice, RetrievalSettings } from "../component-choice.tsx";
import { QuestionsTab } from "../questions/questions-tab.tsx";
import { StoreDialog, StoreStatus } from "../store-parts.tsx";
import { upsertActions } from "../upsert-actions.ts";
import { DocumentsTab } from "./documents-tab.tsx";
import { DeleteVectors } from "./loader-menu.tsx";
import { QueryTab } from "./query-tab.tsx";
import { type StoreSearch, type StoreTab, storeTabs } from "./store-search.ts";
import { HistoryTab, UpsertCard } from "./upserts.tsx";
import { UseInAgent } from "./use-in-agent.tsx";

/** A document store: its documents, queries, settings and history. */
export function DocumentStorePage() {
  const { storeId } = useParams({ from: "/document-stores/$storeId" });
  const query = useQuery({ ...documentStoreQuery(storeId), staleTime: 0 });
  return (
    <LoadedPage query={query} title={strings.title} summary={<BackLink to="/document-stores" label={strings.back} />}>
      {(store) => <Store key={store.id} store={store} />}
    </LoadedPage>
  );
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
          <BackLink to="/document-stores" label={strings.back} />
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
              {tab === "questions" ? storeQuestionsStrings.tab : strings.tabs[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="documents">
          <DocumentsTab store={store} onUpsert={watch} />
        </Tabs.Panel>
        <Tabs.Panel value="query" keepMounted>
          <QueryTab store={store} />
        </Tabs.Panel>
        <Tabs.Panel value="questions">
          <QuestionsTab store={store} />
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

function StoreActions({ store, onUpsert }: { store: StoreView; onUpsert(id: string): void }) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"use" | "edit" | "vectors" | "delete">();
  const close = () => setDialog(undefined);
  const { mutate, isPending } = useRequest(() => upsertActions.refresh(store.id), { next: onUpsert, isLoud: true });
  return (
    <>
      {store.loaders.length > 0 && (
        <Tooltip label={strings.upsertAllHelp}>
          <Action icon={RefreshCw} label={strings.upsertAll} variant="filled" runs={{ mutate, isPending }} />
        </Tooltip>
      )}
      <RowMenu name={store.name}>
        <MenuAction icon={Bot} label={strings.actions.use} onClick={() => setDialog("use")} />
        <MenuAction
          icon={UserRound}
          label={strings.actions.newAssistant}
          onClick={() => void navigate({ to: "/assistants/new", search: { store: store.id } })}
        />
        <Menu.Divider />
        <MenuAction icon={Pencil} label={strings.actions.editStore} onClick={() => setDialog("edit")} />
        <MenuAction icon={Eraser} label={strings.actions.deleteAllVectors} onClick={() => setDialog("vectors")} />
        <MenuAction icon={Trash2} label={strings.actions.deleteStore} isDanger onClick={() => setDialog("delete")} />
      </RowMenu>
      {dialog === "use" && <UseInAgent store={store} onClose={close} />}
      {dialog === "edit" && <StoreDialog store={store} onClose={close} />}
      {dialog === "vectors" && <DeleteVectors storeId={store.id} name={store.name} onClose={close} />}
      {dialog === "delete" && <DeleteStore store={store} onClose={close} />}
    </>
  );
}

/** Asks, and deletes the store with everything in it. */
function DeleteStore({ store: { id, name, whereUsed }, onClose }: { store: StoreView; onClose(): void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await client.deleteDocumentStore({ id });
    void navigate({ to: "/document-stores" });
    queries.removeQueries({ queryKey: documentStoreKeys.one(id) });
  };
  return (
    <ConfirmDialog
      title={strings.deleteTitle}
      details={<UsedBy kind="document-store" id={id} />}
      onConfirm={remove}
      stale={[documentStoreKeys.all]}
      done={strings.deleted({ name })}
      onClose={onClose}
    >
      {strings.deleteText({ name, users: whereUsed.length })}
    </ConfirmDialog>
  );
}

const settings = documentStoresStrings.settings;

/** The embedding model, vector database and record manager of a store, and how it is searched. */
function SettingsTab({ store }: { store: StoreView }) {
  const { draft, change, isDirty, isSaving, save, error, hasConflict, reload } = useStoreSettings(store);
  return (
    <Stack gap="lg">
      <Section title={settings.embedding} text={settings.embeddingHelp}>
        <ComponentChoice
          label={settings.kind}
          components={embeddingsQuery}
          standard="embedded"
          value={draft.embedding}
          onChange={(embedding) => change({ embedding })}
        />
      </Section>
      <Section title={settings.vectorStore} text={settings.vectorStoreHelp}>
        <ComponentChoice
          label={settings.kind}
          components={vectorStoresQuery}
          standard="embedded"
          value={draft.vectorStore}
          onChange={(vectorStore) => change({ vectorStore })}
        />
      </Section>
      <Section title={settings.recordManager} text={settings.recordManagerHelp}>
        <ComponentChoice
          label={settings.kind}
          components={recordManagersQuery}
          value={draft.recordManager}
          onChange={(recordManager) => change({ recordManager })}
        />
      </Section>
      <Section title={settings.retrieval} text={settings.retrievalHelp}>
        <RetrievalSettings value={draft.retrieval} onChange={(retrieval) => change({ retrieval })} />
      </Section>
      {hasConflict ? (
        <Alert color="yellow" variant="light" role="alert">
          {errorStrings.conflict} <Action label={documentStoresStrings.reload} size="compact-xs" onClick={reload} />
        </Alert>
      ) : (
        <ErrorNotice error={error} />
      )}
      <Group justify="space-between">
        <Hint>{settings.changes}</Hint>
        <Action
          icon={Save}
          label={isDirty ? settings.save : settings.savedState}
          disabled={!isDirty}
          loading={isSaving}
          onClick={save}
          variant="filled"
        />
      </Group>
      <LeaveGuard isDirty={isDirty} text={documentStoresStrings.loader.leave} />
    </Stack>
  );
}

type Settings = Pick<StoreView, "embedding" | "vectorStore" | "recordManager" | "retrieval">;

/** Settings of a store while they are edited. They are compared with the store as it was when editing began. */
function useStoreSettings(store: StoreView) {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(store);
  const [read, setRead] = useState(store);
  const [draft, setDraft] = useState<Settings>(() => settingsOf(store));
  const isDirty = !isEqual(draft, settingsOf(seen));
  const begin = (present: StoreView) => {
    setSeen(present);
    setDraft(settingsOf(present));
  };
  // Without local changes, show the stored settings, but only when refetched: right after a save the cached ones are stale.
  if (!isDirty && store !== read) {
    setRead(store);
    if (!isEqual(settingsOf(store), settingsOf(seen))) begin(store);
  }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (sent: Settings) => saveDocumentStore(seen, sent),
    async onSuccess({ status }, sent) {
      setSeen((now) => ({ ...now, ...sent }));
      setRead(store);
      await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
      notifyDone(status === "STALE" ? settings.savedOutdated : settings.saved);
    },
  });
  return {
    draft,
    change: (changed: Partial<Settings>) => setDraft((now) => ({ ...now, ...changed })),
    isDirty,
    isSaving: isPending,
    save: () => mutate(draft),
    error,
    hasConflict: error instanceof StoreChangedError,
    async reload() {
      begin(await queries.fetchQuery({ ...documentStoreQuery(store.id), staleTime: 0 }));
      reset();
    },
  };
}

function settingsOf({ embedding, vectorStore, recordManager, retrieval }: StoreView): Settings {
  return { embedding, vectorStore, recordManager, retrieval };
}

function isEqual(one: Settings, other: Settings): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
