import { Badge, Code, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { IdentityProvider } from "@weft/client";
import { client } from "../api/client.ts";
import { FlaskConical, LogIn, Pencil, Trash2 } from "../icons/icons.gen.ts";
import { commonStrings, singleSignOnStrings } from "../strings.ts";
import { MenuAction } from "../ui/controls/actions.tsx";
import { type Column, RowMenu } from "../ui/list/list-page.tsx";
import { ResourcePage } from "../ui/list/resource-page.tsx";
import { useRequest } from "../ui/page/requests.ts";
import { Hint } from "../ui/text/hint.tsx";
import { goTo, signInOptionsQuery } from "./errand.tsx";
import { ProviderDialog } from "./provider-dialog.tsx";

const providersQuery = queryOptions({
  queryKey: ["identity-providers"],
  queryFn: ({ signal }) => client.listIdentityProviders({ signal }),
});
const stale = [providersQuery.queryKey, signInOptionsQuery.queryKey];

const texts = singleSignOnStrings.providers;

/** Where people sign in by OpenID Connect. */
export function ProvidersPage() {
  return (
    <ResourcePage
      strings={texts}
      icon={LogIn}
      writes="people:write"
      query={useQuery(providersQuery)}
      columns={columns}
      nameOf={({ name }) => name}
      create={(onClose) => <ProviderDialog stale={stale} onClose={onClose} />}
      edit={(provider, onClose) => <ProviderDialog provider={provider} stale={stale} onClose={onClose} />}
      remove={({ id }) => client.deleteIdentityProvider({ id })}
      stale={stale}
      menu={(provider, actions) => <ProviderMenu provider={provider} {...actions} />}
    />
  );
}

const columns: readonly Column<IdentityProvider>[] = [
  {
    key: "name",
    header: commonStrings.name,
    cell: ({ name, source }) => (
      <>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {source === "environment" && <Hint>{texts.ofServer}</Hint>}
      </>
    ),
  },
  { key: "issuer", header: texts.issuer, cell: ({ issuer }) => <Code>{issuer}</Code> },
  {
    key: "state",
    header: texts.state,
    isNarrow: true,
    cell: ({ isEnabled }) => (
      <Badge variant="light" color={isEnabled ? "green" : "gray"} tt="none">
        {isEnabled ? texts.on : texts.off}
      </Badge>
    ),
  },
];

type ProviderMenuProps = { provider: IdentityProvider; onEdit(): void; onDelete(): void };

function ProviderMenu({ provider: { id, name, source }, onEdit, onDelete }: ProviderMenuProps) {
  const going = useRequest(() => goTo(client.startSignInTrial({ id }), { purpose: "trial" }), { isLoud: true });
  const isOwn = source === "stored";
  return (
    <RowMenu name={name}>
      {isOwn && <MenuAction icon={Pencil} label={commonStrings.edit} onClick={onEdit} />}
      <MenuAction icon={FlaskConical} label={texts.trial({ name })} onClick={() => going.mutate()} />
      {isOwn && <MenuAction icon={Trash2} label={commonStrings.delete} isDanger onClick={onDelete} />}
    </RowMenu>
  );
}
