import { Text, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import type { StoreView } from "../../api/document-store-view.ts";
import { documentStoreKeys } from "../../api/document-stores.ts";
import { saveDocumentStore } from "../../api/save-document-store.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.ts";
import { commonStrings } from "../../strings/common.ts";
import { documentStoresStrings as strings } from "../../strings/document-stores.ts";

/** Name and description of a store. `store` absent: a new one, which is opened when it is there. */
export function StoreDialog({ store, onClose }: { store?: StoreView; onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [seen] = useState(store);
  const [name, setName] = useState(store?.name ?? "");
  const [description, setDescription] = useState(store?.description ?? "");
  const save = async () => {
    const body = { name: name.trim(), description: description.trim() };
    const saving = seen === undefined ? client.createDocumentStore(body) : saveDocumentStore(seen, body);
    // A refusal, too, says that there is something new to see.
    const { id } = await saving.finally(() => queries.invalidateQueries({ queryKey: documentStoreKeys.all }));
    notifyDone(store === undefined ? strings.created(body.name) : strings.saved(body.name));
    if (store === undefined) void navigate({ to: "/document-stores/$storeId", params: { storeId: id } });
  };
  return (
    <FormDialog
      title={store === undefined ? strings.createTitle : strings.editTitle}
      submitLabel={store === undefined ? commonStrings.create : commonStrings.save}
      isComplete={name.trim() !== ""}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={commonStrings.name}
        data-autofocus
        required
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={strings.description}
        description={strings.descriptionHelp}
        autosize
        minRows={2}
        maxRows={8}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {store === undefined && (
        <Text size="sm" c="dimmed">
          {strings.createHelp}
        </Text>
      )}
    </FormDialog>
  );
}
