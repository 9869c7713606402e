import { Autocomplete, Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Credential, DefaultModel, ModelProvider } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { modelKeys } from "../../api/models.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.ts";
import { commonStrings } from "../../strings/common.ts";
import { modelsStrings } from "../../strings/models.ts";

type Props = {
  current: DefaultModel;
  providers: readonly ModelProvider[];
  credentials: readonly Credential[];
  onClose: () => void;
};

/** Another default, of what is connected already. */
export function ChooseModelDialog({ current, providers, credentials, onClose }: Props) {
  const queries = useQueryClient();
  const [provider, setProvider] = useState(current.provider);
  const [model, setModel] = useState(current.model);
  const [credential, setCredential] = useState(current.credential);
  const known = providers.find(({ name }) => name === provider);
  const takesCredential = known !== undefined && known.credentialFields.length > 0;
  const save = async () => {
    await client.chooseDefaultModel({ provider, model: model.trim(), credential: takesCredential ? credential : "" });
    await queries.invalidateQueries({ queryKey: modelKeys.default });
    await queries.invalidateQueries({ queryKey: modelKeys.providers });
    notifyDone(modelsStrings.wasChosen(known?.title ?? provider));
  };
  return (
    <FormDialog title={modelsStrings.changeTitle} submitLabel={commonStrings.save} onSubmit={save} onClose={onClose}>
      <Select
        label={modelsStrings.provider}
        data={providers.map(({ name, title }) => ({ value: name, label: title }))}
        allowDeselect={false}
        value={provider}
        onChange={(next) => {
          setProvider(next ?? provider);
          setModel("");
          setCredential("");
        }}
      />
      {takesCredential && (
        <>
          <Select
            label={modelsStrings.credential}
            data={[
              { value: "", label: modelsStrings.serverKey },
              ...credentials.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            allowDeselect={false}
            value={credential}
            onChange={(next) => setCredential(next ?? "")}
          />
          <Autocomplete
            label={modelsStrings.model}
            description={modelsStrings.modelHint}
            placeholder={known.models[0] ?? ""}
            data={known.models}
            value={model}
            onChange={setModel}
          />
        </>
      )}
    </FormDialog>
  );
}
