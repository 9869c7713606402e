import { Badge, Group, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Credential, CredentialType } from "@weft/client";
import { client } from "../../api/client.ts";
import { credentialKeys, credentialsQuery, credentialTypesQuery } from "../../api/settings.ts";
import { CredentialDialog } from "../../connections/credential-dialog.tsx";
import { UsedBy } from "../../connections/used-by.tsx";
import { LockKeyhole } from "../../icons/icons.gen.ts";
import { commonStrings, credentialsStrings } from "../../strings.ts";
import { type Column, updatedColumn } from "../../ui/list/list-page.tsx";
import { ResourcePage } from "../../ui/list/resource-page.tsx";
import { VendorMark } from "../../ui/vendor-mark.tsx";

export function CredentialsPage() {
  const { data: types = [] } = useQuery(credentialTypesQuery);
  return (
    <ResourcePage
      strings={credentialsStrings}
      icon={LockKeyhole}
      writes="credentials:write"
      query={useQuery(credentialsQuery)}
      columns={toColumns(types)}
      nameOf={({ name }) => name}
      create={(onClose) => <CredentialDialog onClose={onClose} />}
      edit={(credential, onClose) => <CredentialDialog credential={credential} onClose={onClose} />}
      remove={({ id }) => client.deleteCredential({ id })}
      stale={[credentialKeys.all]}
      details={({ id }) => <UsedBy kind="credential" id={id} />}
    />
  );
}

function toColumns(types: readonly CredentialType[]): Column<Credential>[] {
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
  ];
}
