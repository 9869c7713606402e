import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { ApiKey, NewApiKey } from "@weft/client";
import { useState } from "react";
import { apiKeyKeys } from "../../api/api-keys.ts";
import { client } from "../../api/client.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.ts";
import { apiKeysStrings } from "../../strings/api-keys.ts";
import { commonStrings } from "../../strings/common.ts";
import { PermissionPicker } from "./permission-picker.tsx";
import { presetOf, toPermissions } from "./permissions.ts";

type Props = {
  /** Absent: a new one. */
  apiKey?: ApiKey;
  /** The one time that the key itself is known. */
  onCreated: (created: NewApiKey) => void;
  onClose: () => void;
};

export function ApiKeyDialog({ apiKey, onCreated, onClose }: Props) {
  const queries = useQueryClient();
  const [keyName, setKeyName] = useState(apiKey?.keyName ?? "");
  const [preset, setPreset] = useState(apiKey === undefined ? "chat" : presetOf(apiKey.permissions));
  const [chosen, setChosen] = useState(apiKey?.permissions.filter((permission) => permission !== "*") ?? []);
  const permissions = toPermissions(preset, chosen);
  const save = async () => {
    const body = { keyName: keyName.trim(), permissions };
    if (apiKey === undefined) onCreated(await client.createApiKey(body));
    else {
      await client.updateApiKey({ id: apiKey.id }, body);
      notifyDone(apiKeysStrings.saved(body.keyName));
    }
    await queries.invalidateQueries({ queryKey: apiKeyKeys.all });
  };
  return (
    <FormDialog
      title={apiKey === undefined ? apiKeysStrings.createTitle : apiKeysStrings.editTitle}
      submitLabel={apiKey === undefined ? apiKeysStrings.createSubmit : commonStrings.save}
      isComplete={keyName.trim() !== "" && permissions.length > 0}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={apiKeysStrings.name}
        placeholder={apiKeysStrings.namePlaceholder}
        data-autofocus
        autoComplete="off"
        value={keyName}
        onChange={(event) => setKeyName(event.currentTarget.value)}
      />
      <PermissionPicker preset={preset} chosen={chosen} onPreset={setPreset} onChosen={setChosen} />
    </FormDialog>
  );
}
