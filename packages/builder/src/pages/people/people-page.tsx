import { Badge, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Account, AccountLink, NewAccountLink } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { accountsQuery, callerQuery, linksQuery, peopleKeys } from "../../api/settings.ts";
import { Ban, KeyRound, LogOut, Pencil, Trash2, Users } from "../../icons/icons.gen.ts";
import { commonStrings, peopleStrings } from "../../strings.ts";
import { Moment } from "../../ui/content/time.tsx";
import { IconAction, MenuAction } from "../../ui/controls/actions.tsx";
import { Choice } from "../../ui/controls/choice.tsx";
import { actionsColumn, type Column, DataTable, RowMenu } from "../../ui/list/list-page.tsx";
import { ResourcePage } from "../../ui/list/resource-page.tsx";
import { FormDialog, ShownOnceDialog } from "../../ui/page/dialogs.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";

type Keys = "keep" | "remove";

/** Who may use this installation, and who is invited. */
export function PeoplePage() {
  const [shown, setShown] = useState<NewAccountLink>();
  const [keys, setKeys] = useState<Keys>("remove");
  return (
    <ResourcePage
      strings={peopleStrings}
      icon={Users}
      writes="people:write"
      query={useQuery(accountsQuery)}
      columns={columns}
      nameOf={({ name, email }) => name || email}
      searchIn={({ name, email, role }) => `${name} ${email} ${peopleStrings.roles[role]}`}
      create={(onClose) => <InviteDialog onCreated={setShown} onClose={onClose} />}
      edit={(account, onClose) => <PersonDialog account={account} onClose={onClose} />}
      remove={({ id }) => client.deleteAccount({ id, keys })}
      details={() => (
        <Choice<Keys> label={peopleStrings.keysOfRemoved} options={keyOptions} value={keys} onChange={setKeys} />
      )}
      stale={[peopleKeys.accounts, peopleKeys.links]}
      menu={(account, actions) => <PersonMenu account={account} onLink={setShown} {...actions} />}
    >
      <OpenLinks />
      {shown !== undefined && <LinkDialog link={shown} onClose={() => setShown(undefined)} />}
    </ResourcePage>
  );
}

const columns: readonly Column<Account>[] = [
  {
    key: "name",
    header: peopleStrings.person,
    cell: (account) => (
      <>
        <Text size="sm" fw={500}>
          {account.name || account.email} <You id={account.id} />
        </Text>
        {account.name !== "" && <Hint>{account.email}</Hint>}
      </>
    ),
  },
  {
    key: "role",
    header: peopleStrings.role,
    isNarrow: true,
    cell: ({ role }) => (
      <Badge variant="light" color={role === "owner" ? "orange" : "gray"} tt="none">
        {peopleStrings.roles[role]}
      </Badge>
    ),
  },
  {
    key: "since",
    header: peopleStrings.since,
    isNarrow: true,
    cell: ({ createdDate }) => <Moment at={createdDate} />,
  },
];

function You({ id }: { id: string }) {
  const { data } = useQuery(callerQuery);
  if (data?.user?.id !== id) return null;
  return (
    <Text span c="dimmed" fw={400}>
      {peopleStrings.you}
    </Text>
  );
}

type PersonMenuProps = {
  account: Account;
  onLink(link: NewAccountLink): void;
  onEdit(): void;
  onDelete(): void;
};

function PersonMenu({ account: { id, name, email }, onLink, onEdit, onDelete }: PersonMenuProps) {
  const shownName = name || email;
  const offering = useRequest(() => client.offerPasswordReset({ id }), {
    stale: [peopleKeys.links],
    next: onLink,
    isLoud: true,
  });
  const ending = useRequest(() => client.signOutAccount({ id }), {
    done: peopleStrings.signedOut({ name: shownName }),
    isLoud: true,
  });
  return (
    <RowMenu name={shownName}>
      <MenuAction icon={Pencil} label={commonStrings.edit} onClick={onEdit} />
      <MenuAction icon={KeyRound} label={peopleStrings.passwordLink} onClick={() => offering.mutate()} />
      <MenuAction icon={LogOut} label={peopleStrings.signOut} onClick={() => ending.mutate()} />
      <MenuAction icon={Trash2} label={peopleStrings.delete} isDanger onClick={onDelete} />
    </RowMenu>
  );
}

type RoleChoiceProps = { value: Account["role"]; onChange(role: Account["role"]): void };

const roles = ["owner", "admin", "editor", "operator", "analyst", "viewer"] as const;

/** The roles, with what each is for. The server refuses those with more rights than one's own, and says so. */
function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <Choice
      label={peopleStrings.role}
      value={value}
      onChange={onChange}
      options={roles.map((role) => ({
        value: role,
        label: peopleStrings.roles[role],
        hint: peopleStrings.roleHints[role],
      }))}
    />
  );
}

type InviteDialogProps = { onCreated(link: NewAccountLink): void; onClose(): void };

function InviteDialog({ onCreated, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Account["role"]>("editor");
  return (
    <FormDialog
      title={peopleStrings.create}
      submitLabel={peopleStrings.createSubmit}
      isComplete={email.trim() !== ""}
      onSubmit={() => client.createInvitation({ email: email.trim(), role })}
      stale={[peopleKeys.links]}
      next={onCreated}
      onClose={onClose}
    >
      <TextInput
        label={peopleStrings.email}
        type="email"
        placeholder="grace@example.com"
        data-autofocus
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  );
}

function PersonDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const [name, setName] = useState(account.name);
  const [role, setRole] = useState(account.role);
  return (
    <FormDialog
      title={account.email}
      onSubmit={() => client.updateAccount({ id: account.id }, { name: name.trim(), role })}
      stale={[peopleKeys.accounts, peopleKeys.links, callerQuery.queryKey]}
      done={peopleStrings.saved({ name: name.trim() || account.email })}
      onClose={onClose}
    >
      <TextInput
        label={commonStrings.name}
        data-autofocus
        autoComplete="off"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  );
}

const keyOptions = [
  { value: "remove", label: peopleStrings.removeKeys },
  { value: "keep", label: peopleStrings.keepKeys, hint: peopleStrings.keepKeysHint },
] as const;

function LinkDialog({ link: { kind, email, token }, onClose }: { link: NewAccountLink; onClose(): void }) {
  const isInvitation = kind === "invitation";
  return (
    <ShownOnceDialog
      title={isInvitation ? peopleStrings.linkTitle : peopleStrings.resetTitle}
      text={(isInvitation ? peopleStrings.linkText : peopleStrings.resetText)({ email })}
      warning={peopleStrings.linkOnce}
      label={peopleStrings.link}
      value={`${location.origin}/join#${token}`}
      done={peopleStrings.linkCopied}
      onClose={onClose}
    />
  );
}

const linkColumns: readonly Column<AccountLink>[] = [
  {
    key: "email",
    header: peopleStrings.email,
    cell: ({ email, kind }) => (
      <>
        <Text size="sm" fw={500}>
          {email}
        </Text>
        <Hint>{peopleStrings.kinds[kind]}</Hint>
      </>
    ),
  },
  { key: "role", header: peopleStrings.role, isNarrow: true, cell: ({ role }) => peopleStrings.roles[role] },
  { key: "by", header: peopleStrings.invitedBy, cell: ({ createdBy }) => <Hint>{createdBy}</Hint> },
  {
    key: "expires",
    header: peopleStrings.expires,
    isNarrow: true,
    cell: ({ expiresDate }) => <Moment at={expiresDate} />,
  },
  actionsColumn((link) => <RevokeLink link={link} />),
];

function RevokeLink({ link: { id, email } }: { link: AccountLink }) {
  const revoking = useRequest(() => client.deleteInvitation({ id }), {
    stale: [peopleKeys.links],
    done: peopleStrings.revoked({ email }),
    isLoud: true,
  });
  return (
    <IconAction
      icon={Ban}
      label={peopleStrings.revoke({ email })}
      loading={revoking.isPending}
      onClick={() => revoking.mutate()}
    />
  );
}

/** Links that nobody has used yet; nothing while there are none. */
function OpenLinks() {
  const { data = [] } = useQuery(linksQuery);
  if (data.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {peopleStrings.open}
      </Title>
      <DataTable label={peopleStrings.open} columns={linkColumns} rows={data} idOf={({ id }) => id} />
    </Stack>
  );
}
