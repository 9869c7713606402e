import { Select, Text, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Variable } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { variableKeys } from "../../api/variables.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.ts";
import { commonStrings } from "../../strings/common.ts";
import { variablesStrings } from "../../strings/variables.ts";

type Type = Variable["type"];

const offeredTypes: readonly Type[] = ["string", "number", "boolean", "json", "runtime"];

/** `variable` absent: a new one. */
export function VariableDialog({ variable, onClose }: { variable?: Variable; onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(variable?.name ?? "");
  const [type, setType] = useState<Type>(variable?.type ?? "string");
  const [value, setValue] = useState(variable?.value ?? "");
  const types = variable?.type === "static" ? [...offeredTypes, "static" as const] : offeredTypes;
  const save = async () => {
    const body = { name: name.trim(), type, value: type === "runtime" ? null : value };
    await (variable === undefined ? client.createVariable(body) : client.updateVariable({ id: variable.id }, body));
    await queries.invalidateQueries({ queryKey: variableKeys.all });
    notifyDone(variablesStrings.saved(body.name));
  };
  return (
    <FormDialog
      title={variable === undefined ? variablesStrings.createTitle : variablesStrings.editTitle}
      submitLabel={variable === undefined ? commonStrings.create : commonStrings.save}
      isComplete={name.trim() !== ""}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={commonStrings.name}
        description={variablesStrings.nameHint}
        data-autofocus
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={commonStrings.type}
        data={types.map((candidate) => ({ value: candidate, label: variablesStrings.types[candidate] }))}
        allowDeselect={false}
        value={type}
        onChange={(chosen) => {
          setType(chosen ?? type);
          if (chosen === "boolean") setValue("true");
        }}
      />
      <ValueInput type={type} value={value} onChange={setValue} />
    </FormDialog>
  );
}

type ValueInputProps = { type: Type; value: string; onChange: (value: string) => void };

function ValueInput({ type, value, onChange }: ValueInputProps) {
  if (type === "runtime") {
    return (
      <Text size="sm" c="dimmed">
        {variablesStrings.runtimeHint}
      </Text>
    );
  }
  if (type === "boolean") {
    const data = [
      { value: "true", label: variablesStrings.yes },
      { value: "false", label: variablesStrings.no },
    ];
    return (
      <Select
        label={commonStrings.value}
        data={data}
        allowDeselect={false}
        value={value}
        onChange={(chosen) => onChange(chosen ?? value)}
      />
    );
  }
  const common = {
    label: commonStrings.value,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (type === "number") return <TextInput {...common} inputMode="decimal" />;
  const looks = type === "json" ? { minRows: 4, ff: "monospace" } : { minRows: 2 };
  return <Textarea {...common} {...looks} autosize maxRows={14} />;
}
