import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Save } from "lucide-react";
import { useState } from "react";
import type { StoreView } from "../../../api/document-store-view.ts";
import {
  documentStoreKeys,
  documentStoreQuery,
  embeddingsQuery,
  recordManagersQuery,
  vectorStoresQuery,
} from "../../../api/document-stores.ts";
import { StoreChangedError, saveDocumentStore } from "../../../api/save-document-store.ts";
import { LeaveGuard } from "../../../components/draft-page.tsx";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { notifyDone } from "../../../components/notify.ts";
import { Section } from "../../../components/page.tsx";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { ComponentChoice } from "../component-choice.tsx";

const strings = documentStoresStrings.settings;

/** The embedding model, vector database and record manager of a store. */
export function SettingsTab({ store }: { store: StoreView }) {
  const { draft, change, isDirty, isSaving, save, error, hasConflict, reload } = useStoreSettings(store);
  return (
    <Stack gap="lg">
      <Section title={strings.embedding} text={strings.embeddingHelp}>
        <ComponentChoice
          label={strings.kind}
          components={embeddingsQuery}
          standard="embedded"
          value={draft.embedding}
          onChange={(embedding) => change({ embedding })}
        />
      </Section>
      <Section title={strings.vectorStore} text={strings.vectorStoreHelp}>
        <ComponentChoice
          label={strings.kind}
          components={vectorStoresQuery}
          standard="embedded"
          value={draft.vectorStore}
          onChange={(vectorStore) => change({ vectorStore })}
        />
      </Section>
      <Section title={strings.recordManager} text={strings.recordManagerHelp}>
        <ComponentChoice
          label={strings.kind}
          components={recordManagersQuery}
          value={draft.recordManager}
          onChange={(recordManager) => change({ recordManager })}
        />
      </Section>
      {hasConflict ? (
        <Alert color="yellow" variant="light" role="alert">
          {documentStoresStrings.conflict}{" "}
          <Button size="compact-xs" variant="default" onClick={reload}>
            {documentStoresStrings.reload}
          </Button>
        </Alert>
      ) : (
        <ErrorNotice error={error} />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {strings.changes}
        </Text>
        <Button leftSection={<Save size={16} aria-hidden />} disabled={!isDirty} loading={isSaving} onClick={save}>
          {isDirty ? strings.save : strings.savedState}
        </Button>
      </Group>
      <LeaveGuard isDirty={isDirty} text={documentStoresStrings.loader.leave} />
    </Stack>
  );
}

type Settings = Pick<StoreView, "embedding" | "vectorStore" | "recordManager">;

/** Settings of a store while they are edited. They are compared with the store as it was when editing began. */
function useStoreSettings(store: StoreView) {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(store);
  const [draft, setDraft] = useState<Settings>(() => settingsOf(store));
  const isDirty = !isEqual(draft, settingsOf(seen));
  const begin = (present: StoreView) => {
    setSeen(present);
    setDraft(settingsOf(present));
  };
  // Without local changes, show the stored settings.
  if (!isDirty && !isEqual(settingsOf(store), settingsOf(seen))) begin(store);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => saveDocumentStore(seen, draft),
    async onSuccess({ status }) {
      begin({ ...seen, ...draft });
      await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
      notifyDone(status === "STALE" ? strings.savedOutdated : strings.saved);
    },
  });
  return {
    draft,
    change: (changed: Partial<Settings>) => setDraft((now) => ({ ...now, ...changed })),
    isDirty,
    isSaving: isPending,
    save: () => mutate(),
    error,
    hasConflict: error instanceof StoreChangedError,
    async reload() {
      begin(await queries.fetchQuery({ ...documentStoreQuery(store.id), staleTime: 0 }));
      reset();
    },
  };
}

function settingsOf({ embedding, vectorStore, recordManager }: StoreView): Settings {
  return { embedding, vectorStore, recordManager };
}

function isEqual(one: Settings, other: Settings): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
