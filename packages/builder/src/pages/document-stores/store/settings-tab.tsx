import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { Save } from "lucide-react";
import type { StoreView } from "../../../api/document-store-view.ts";
import { embeddingsQuery, recordManagersQuery, vectorStoresQuery } from "../../../api/document-stores.ts";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { LeaveGuard } from "../../../components/leave-guard.tsx";
import { Section } from "../../../components/section.tsx";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { ComponentChoice } from "../component-choice.tsx";
import { useStoreSettings } from "./use-store-settings.ts";

const strings = documentStoresStrings.settings;

/** What a store embeds with and writes to. */
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
