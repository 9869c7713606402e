import { Badge, Code, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Variable } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { variableKeys, variablesQuery } from "../../api/settings.ts";
import { UsedBy } from "../../connections/used-by.tsx";
import { Variable as VariableIcon } from "../../icons/icons.gen.ts";
import { commonStrings, variablesStrings } from "../../strings.ts";
import { type Column, updatedColumn } from "../../ui/list/list-page.tsx";
import { ResourcePage } from "../../ui/list/resource-page.tsx";
import { FormDialog } from "../../ui/page/dialogs.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./variables-page.module.css";

export function VariablesPage() {
  return (
    <ResourcePage
      strings={variablesStrings}
      icon={VariableIcon}
      writes="variables:write"
      query={useQuery(variablesQuery)}
      columns={columns}
      nameOf={({ name }) => name}
      create={(onClose) => <VariableDialog onClose={onClose} />}
      edit={(variable, onClose) => <VariableDialog variable={variable} onClose={onClose} />}
      remove={({ id }) => client.deleteVariable({ id })}
      stale={[variableKeys.all]}
      details={({ name }) => <UsedBy kind="variable" id={name} />}
    />
  );
}

const columns: readonly Column<Variable>[] = [
  { key: "name", header: commonStrings.name, cell: ({ name }) => <Code>{name}</Code> },
  {
    key: "type",
    header: commonStrings.type,
    isNarrow: true,
    cell: ({ type }) => (
      <Badge variant="light" color="gray" tt="none">
        {variablesStrings.types[type]}
      </Badge>
    ),
  },
  { key: "value", header: commonStrings.value, cell: (variable) => <VariableValue variable={variable} /> },
  updatedColumn(),
];

function VariableValue({ variable: { type, value } }: { variable: Variable }) {
  if (type !== "runtime" && value) return <span className={classes.value}>{value}</span>;
  return <Hint>{type === "runtime" ? variablesStrings.runtimeValue : variablesStrings.noValue}</Hint>;
}

type Type = Variable["type"];

const offeredTypes: readonly Type[] = ["string", "number", "boolean", "json", "runtime"];

/** `variable` absent: a new one. */
function VariableDialog({ variable, onClose }: { variable?: Variable; onClose: () => void }) {
  const [name, setName] = useState(variable?.name ?? "");
  const [type, setType] = useState<Type>(variable?.type ?? "string");
  const [value, setValue] = useState(variable?.value ?? "");
  const types = variable?.type === "static" ? [...offeredTypes, "static" as const] : offeredTypes;
  const save = () => {
    const body = { name: name.trim(), type, value: type === "runtime" ? null : value };
    return variable === undefined ? client.createVariable(body) : client.updateVariable({ id: variable.id }, body);
  };
  return (
    <FormDialog
      title={variable === undefined ? variablesStrings.createTitle : variablesStrings.editTitle}
      submitLabel={variable === undefined ? commonStrings.create : commonStrings.save}
      isComplete={name.trim() !== ""}
      onSubmit={save}
      stale={[variableKeys.all]}
      done={variablesStrings.saved({ name: name.trim() })}
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
  if (type === "runtime") return <Hint>{variablesStrings.runtimeHint}</Hint>;
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
