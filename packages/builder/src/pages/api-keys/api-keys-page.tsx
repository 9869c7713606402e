import { Alert, Badge, Button, Code, Group, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiKey, NewApiKey } from "@weft/client";
import { Ban, KeyRound, Pencil, Plus, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { apiKeyKeys, apiKeysQuery } from "../../api/api-keys.ts";
import { client } from "../../api/client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { actionsColumn, ListPage } from "../../components/list-page.tsx";
import { Moment } from "../../components/moment.tsx";
import { notifyDone } from "../../components/notify.ts";
import { RowMenu } from "../../components/row-menu.tsx";
import { apiKeysStrings } from "../../strings/api-keys.ts";
import { commonStrings } from "../../strings/common.ts";
import { ApiKeyDialog } from "./api-key-dialog.tsx";
import { presetOf } from "./permissions.ts";

type Dialog = { kind: "create" } | { kind: "edit" | "delete"; apiKey: ApiKey };

export function ApiKeysPage() {
  const queries = useQueryClient();
  const apiKeys = useQuery(apiKeysQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const [created, setCreated] = useState<NewApiKey>();
  const close = () => setDialog(undefined);
  const createButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog({ kind: "create" })}>
      {apiKeysStrings.create}
    </Button>
  );
  const remove = async ({ id, keyName }: ApiKey) => {
    await client.deleteApiKey({ id });
    await queries.invalidateQueries({ queryKey: apiKeyKeys.all });
    notifyDone(apiKeysStrings.deleted(keyName));
  };
  const doomed = dialog?.kind === "delete" ? dialog.apiKey : undefined;
  return (
    <ListPage
      strings={apiKeysStrings}
      icon={KeyRound}
      query={apiKeys}
      action={createButton}
      list={(rows) => (
        <DataTable
          label={apiKeysStrings.title}
          columns={toColumns((kind, apiKey) => setDialog({ kind, apiKey }))}
          rows={rows}
          idOf={({ id }) => id}
        />
      )}
    >
      {dialog?.kind === "create" && <ApiKeyDialog onCreated={setCreated} onClose={close} />}
      {dialog?.kind === "edit" && <ApiKeyDialog apiKey={dialog.apiKey} onCreated={setCreated} onClose={close} />}
      {created !== undefined && <NewKeyDialog created={created} onClose={() => setCreated(undefined)} />}
      {doomed !== undefined && (
        <ConfirmDialog
          opened
          title={apiKeysStrings.deleteTitle}
          confirmLabel={apiKeysStrings.delete}
          onConfirm={() => remove(doomed)}
          onClose={close}
        >
          {apiKeysStrings.deleteText(doomed.keyName)}
        </ConfirmDialog>
      )}
    </ListPage>
  );
}

function toColumns(open: (kind: "edit" | "delete", apiKey: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      key: "name",
      header: commonStrings.name,
      cell: ({ keyName }) => (
        <Text size="sm" fw={500}>
          {keyName}
        </Text>
      ),
    },
    { key: "key", header: apiKeysStrings.key, isNarrow: true, cell: ({ keyHint }) => <Code>{keyHint}</Code> },
    {
      key: "permissions",
      header: apiKeysStrings.permissions,
      cell: ({ permissions }) => (
        <Badge variant="light" color={permissions.includes("*") ? "orange" : "gray"} tt="none">
          {toPermissionText(permissions)}
        </Badge>
      ),
    },
    {
      key: "reach",
      header: apiKeysStrings.reach,
      cell: ({ agents, clientId }) => (
        <Text size="sm">
          {apiKeysStrings.agentCount(agents.length)} · <Code>{clientId}</Code>
        </Text>
      ),
    },
    {
      key: "used",
      header: apiKeysStrings.lastUsed,
      isNarrow: true,
      cell: ({ lastUsedDate }) =>
        lastUsedDate === null ? (
          <Text size="sm" c="dimmed">
            {apiKeysStrings.never}
          </Text>
        ) : (
          <Moment at={lastUsedDate} />
        ),
    },
    actionsColumn((apiKey) => (
      <RowMenu name={apiKey.keyName}>
        <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => open("edit", apiKey)}>
          {commonStrings.edit}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Ban size={16} aria-hidden />} onClick={() => open("delete", apiKey)}>
          {apiKeysStrings.delete}
        </Menu.Item>
      </RowMenu>
    )),
  ];
}

function toPermissionText(permissions: readonly string[]): string {
  const preset = presetOf(permissions);
  return preset === "chosen" ? apiKeysStrings.count(permissions.length) : apiKeysStrings.presets[preset];
}

/** Shows a key the one time that it can be shown. A click beside it does not close it. */
function NewKeyDialog({ created, onClose }: { created: NewApiKey; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={apiKeysStrings.shownOnceTitle}
      closeOnClickOutside={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow" variant="light" icon={<TriangleAlert size={18} aria-hidden />}>
          {apiKeysStrings.shownOnceText}
        </Alert>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={apiKeysStrings.newKey}
            readOnly
            flex={1}
            ff="monospace"
            value={created.apiKey}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={created.apiKey} variant="filled" />
        </Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {apiKeysStrings.copied}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
