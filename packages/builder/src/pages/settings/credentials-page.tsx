import { Badge, Button, Group, Text, Tooltip } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Credential, CredentialType } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { credentialKeys, credentialsQuery, credentialTypesQuery } from "../../api/settings.ts";
import { CredentialDialog } from "../../connections/credential-dialog.tsx";
import { UsedBy } from "../../connections/used-by.tsx";
import { LockKeyhole, Plus } from "../../icons/icons.gen.ts";
import { commonStrings, credentialsStrings } from "../../strings.ts";
import { ConfirmDialog } from "../../ui/page/dialogs.tsx";
import {
  actionsColumn,
  type Column,
  DataTable,
  EditDeleteMenu,
  ListPage,
  updatedColumn,
} from "../../ui/page/list-page.tsx";
import { notifyDone } from "../../ui/page/notices.tsx";
import { VendorMark } from "../../ui/vendor-mark.tsx";

type Dialog = { kind: "create" } | { kind: "edit" | "delete"; credential: Credential };

export function CredentialsPage() {
  const queries = useQueryClient();
  const credentials = useQuery(credentialsQuery);
  const { data: types = [] } = useQuery(credentialTypesQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const createButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog({ kind: "create" })}>
      {credentialsStrings.create}
    </Button>
  );
  const remove = async ({ id, name }: Credential) => {
    await client.deleteCredential({ id });
    await queries.invalidateQueries({ queryKey: credentialKeys.all });
    notifyDone(credentialsStrings.deleted({ name }));
  };
  const doomed = dialog?.kind === "delete" ? dialog.credential : undefined;
  return (
    <ListPage
      strings={credentialsStrings}
      icon={LockKeyhole}
      query={credentials}
      action={createButton}
      list={(rows) => (
        <DataTable
          label={credentialsStrings.title}
          columns={toColumns(types, (kind, credential) => setDialog({ kind, credential }))}
          rows={rows}
          idOf={({ id }) => id}
        />
      )}
    >
      {dialog?.kind === "create" && <CredentialDialog onClose={close} />}
      {dialog?.kind === "edit" && <CredentialDialog credential={dialog.credential} onClose={close} />}
      {doomed !== undefined && (
        <ConfirmDialog
          opened
          title={credentialsStrings.deleteTitle}
          details={<UsedBy kind="credential" id={doomed.id} />}
          confirmLabel={commonStrings.delete}
          onConfirm={() => remove(doomed)}
          onClose={close}
        >
          {credentialsStrings.deleteText({ name: doomed.name })}
        </ConfirmDialog>
      )}
    </ListPage>
  );
}

type Open = (kind: "edit" | "delete", credential: Credential) => void;

function toColumns(types: readonly CredentialType[], open: Open): Column<Credential>[] {
  const titleOf = (name: string) => types.find((type) => type.name === name)?.title ?? name;
  return [
    {
      key: "name",
      header: commonStrings.name,
      cell: ({ name, credentialName, readable }) => (
        <Group gap="xs">
          <VendorMark name={credentialName} title={titleOf(credentialName)} />
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {!readable && (
            <Tooltip label={credentialsStrings.unreadableText} multiline w={280}>
              <Badge color="red" variant="light" tabIndex={0}>
                {credentialsStrings.unreadable}
              </Badge>
            </Tooltip>
          )}
        </Group>
      ),
    },
    { key: "type", header: commonStrings.type, cell: ({ credentialName }) => titleOf(credentialName) },
    updatedColumn(),
    actionsColumn((credential) => (
      <EditDeleteMenu
        name={credential.name}
        onEdit={() => open("edit", credential)}
        onDelete={() => open("delete", credential)}
      />
    )),
  ];
}
