import { Badge, Button, Code, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Variable } from "@weft/client";
import { Plus, Variable as VariableIcon } from "lucide-react";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { variableKeys, variablesQuery } from "../../api/variables.ts";
import { actionsColumn, updatedColumn } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EditDeleteMenu } from "../../components/edit-delete-menu.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { notifyDone } from "../../components/notify.ts";
import { commonStrings } from "../../strings/common.ts";
import { variablesStrings } from "../../strings/variables.ts";
import { VariableDialog } from "./variable-dialog.tsx";
import classes from "./variables-page.module.css";

type Dialog = { kind: "create" } | { kind: "edit" | "delete"; variable: Variable };

export function VariablesPage() {
  const queries = useQueryClient();
  const variables = useQuery(variablesQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const createButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog({ kind: "create" })}>
      {variablesStrings.create}
    </Button>
  );
  const remove = async ({ id, name }: Variable) => {
    await client.deleteVariable({ id });
    await queries.invalidateQueries({ queryKey: variableKeys.all });
    notifyDone(variablesStrings.deleted(name));
  };
  const doomed = dialog?.kind === "delete" ? dialog.variable : undefined;
  return (
    <ListPage
      strings={variablesStrings}
      icon={VariableIcon}
      query={variables}
      action={createButton}
      list={(rows) => (
        <DataTable
          label={variablesStrings.title}
          columns={toColumns((kind, variable) => setDialog({ kind, variable }))}
          rows={rows}
          idOf={({ id }) => id}
        />
      )}
    >
      {dialog?.kind === "create" && <VariableDialog onClose={close} />}
      {dialog?.kind === "edit" && <VariableDialog variable={dialog.variable} onClose={close} />}
      {doomed !== undefined && (
        <ConfirmDialog
          opened
          title={variablesStrings.deleteTitle}
          confirmLabel={commonStrings.delete}
          onConfirm={() => remove(doomed)}
          onClose={close}
        >
          {variablesStrings.deleteText(doomed.name)}
        </ConfirmDialog>
      )}
    </ListPage>
  );
}

function toColumns(open: (kind: "edit" | "delete", variable: Variable) => void): Column<Variable>[] {
  return [
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
    actionsColumn((variable) => (
      <EditDeleteMenu
        name={variable.name}
        onEdit={() => open("edit", variable)}
        onDelete={() => open("delete", variable)}
      />
    )),
  ];
}

function VariableValue({ variable: { type, value } }: { variable: Variable }) {
  if (type !== "runtime" && value) return <span className={classes.value}>{value}</span>;
  return (
    <Text size="sm" c="dimmed">
      {type === "runtime" ? variablesStrings.runtimeValue : variablesStrings.noValue}
    </Text>
  );
}
