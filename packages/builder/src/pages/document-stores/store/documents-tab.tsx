import { Group, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { StoreView } from "../../../api/document-store-view.ts";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { FileDrop } from "../upload/file-drop.tsx";
import type { Upload } from "../upload/upload.ts";
import { AddMenu } from "./add-menu.tsx";
import { LoaderTable } from "./loader-table.tsx";
import { upsertActions } from "./upsert-actions.ts";
import { WhereUsedLine } from "./where-used-line.tsx";

/** What a store loads, with a place to drop more. */
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
