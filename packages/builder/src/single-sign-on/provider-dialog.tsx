import { Group, PasswordInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import type { QueryKey } from "@tanstack/react-query";
import type { IdentityProvider } from "@weft/client";
import { useState } from "react";
import { client } from "../api/client.ts";
import { Plus, Trash2 } from "../icons/icons.gen.ts";
import { commonStrings, namesIn, peopleStrings, singleSignOnStrings } from "../strings.ts";
import { CopyButton } from "../ui/content/code-block.tsx";
import { Action, IconAction } from "../ui/controls/actions.tsx";
import { Choice } from "../ui/controls/choice.tsx";
import { FormDialog } from "../ui/page/dialogs.tsx";
import { Hint } from "../ui/text/hint.tsx";

const texts = singleSignOnStrings.providers;

type Rule = IdentityProvider["roleRules"][number];

/** What is entered: `domains` as text, and a secret only to change it. */
type Draft = Pick<
  IdentityProvider,
  | ("name" | "slug" | "issuer" | "clientId" | "scopes")
  | ("signUp" | "defaultRole" | "roleClaim" | "roleRules" | "isEnabled")
> & { clientSecret: string; domains: string };

const emptyDraft: Draft = {
  ...{ name: "", slug: "", issuer: "", clientId: "", clientSecret: "", scopes: "openid email profile", domains: "" },
  ...{ signUp: "nobody", defaultRole: null, roleClaim: "", roleRules: [], isEnabled: true },
};

type Props = { provider?: IdentityProvider; stale: readonly QueryKey[]; onClose(): void };

/** `provider` absent: a new one. */
export function ProviderDialog({ provider, stale, onClose }: Props) {
  const [draft, setDraft] = useState<Draft>(
    provider === undefined ? emptyDraft : { ...provider, clientSecret: "", domains: provider.domains.join(", ") },
  );
  const change = (changes: Partial<Draft>) => setDraft((current) => ({ ...current, ...changes }));
  const { name, slug, issuer, clientId } = draft;
  return (
    <FormDialog
      title={provider === undefined ? texts.create : texts.edit}
      size="lg"
      isComplete={[name, slug, issuer, clientId].every((text) => text.trim() !== "")}
      onSubmit={() => save(provider, draft)}
      stale={stale}
      done={texts.saved({ name: name.trim() })}
      onClose={onClose}
    >
      <ConnectionFields draft={draft} change={change} hasSecret={provider?.hasClientSecret ?? false} />
      <AccountFields draft={draft} change={change} />
      <RoleFields draft={draft} change={change} />
      <Switch
        label={texts.isEnabled}
        checked={draft.isEnabled}
        onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

function save(provider: IdentityProvider | undefined, draft: Draft): Promise<IdentityProvider> {
  const { name, slug, issuer, clientId, clientSecret, scopes, domains, signUp, defaultRole, isEnabled } = draft;
  const roleClaim = draft.roleClaim.trim();
  const rules = draft.roleRules.filter(({ value }) => value.trim() !== "");
  const body = {
    ...{ name, slug, issuer, clientId, scopes, signUp, isEnabled, roleClaim },
    ...(clientSecret !== "" && { clientSecret }),
    domains: domains.split(/[\s,]+/).filter(Boolean),
    // An owner is nobody's default.
    defaultRole: defaultRole === "owner" ? null : defaultRole,
    roleRules: roleClaim === "" ? [] : rules,
  };
  if (provider === undefined) return client.createIdentityProvider(body);
  return client.updateIdentityProvider({ id: provider.id }, body);
}

type FieldsProps = { draft: Draft; change(changes: Partial<Draft>): void };

function ConnectionFields({ draft, change, hasSecret }: FieldsProps & { hasSecret: boolean }) {
  const field = (name: "name" | "slug" | "issuer" | "clientId" | "clientSecret" | "scopes") => ({
    autoComplete: "off",
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  const redirectUri = `${location.origin}/sign-in/${draft.slug.trim() || "…"}`;
  return (
    <>
      <TextInput label={commonStrings.name} data-autofocus placeholder="Okta" maxLength={100} {...field("name")} />
      <TextInput label={texts.slug} description={texts.slugHint} placeholder="okta" {...field("slug")} />
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={texts.redirect}
          description={texts.redirectHint}
          readOnly
          flex={1}
          ff="monospace"
          value={redirectUri}
        />
        <CopyButton text={redirectUri} />
      </Group>
      <TextInput
        label={texts.issuer}
        description={texts.issuerHint}
        placeholder="https://example.okta.com"
        {...field("issuer")}
      />
      <TextInput label={texts.clientId} {...field("clientId")} />
      <PasswordInput
        label={texts.clientSecret}
        description={hasSecret ? texts.secretKept : texts.secretHint}
        {...field("clientSecret")}
      />
      <TextInput label={texts.scopes} {...field("scopes")} />
    </>
  );
}

function AccountFields({ draft: { signUp, domains }, change }: FieldsProps) {
  return (
    <>
      <TextInput
        label={texts.domains}
        description={texts.domainsHint}
        placeholder="example.com"
        autoComplete="off"
        value={domains}
        onChange={(event) => change({ domains: event.currentTarget.value })}
      />
      <Choice
        label={texts.signUp}
        value={signUp}
        onChange={(chosen) => change({ signUp: chosen })}
        options={namesIn(texts.signUps).map((value) => ({
          value,
          label: texts.signUps[value],
          hint: texts.signUpHints[value],
        }))}
      />
    </>
  );
}

const none = "none";
const roles = namesIn(peopleStrings.roles);
const roleOptions = roles.map((value) => ({ value, label: peopleStrings.roles[value] }));
const roleOf = (chosen: string | null) => roles.find((role) => role === chosen);

function RoleFields({ draft: { defaultRole, roleClaim, roleRules }, change }: FieldsProps) {
  const replace = (index: number, rule: Rule) => change({ roleRules: roleRules.with(index, rule) });
  return (
    <>
      <Select
        label={texts.defaultRole}
        allowDeselect={false}
        data={[{ value: none, label: texts.noRole }, ...roleOptions.filter(({ value }) => value !== "owner")]}
        value={defaultRole ?? none}
        onChange={(chosen) => change({ defaultRole: roleOf(chosen) ?? null })}
      />
      <TextInput
        label={texts.roleClaim}
        description={texts.roleClaimHint}
        placeholder="groups"
        autoComplete="off"
        value={roleClaim}
        onChange={(event) => change({ roleClaim: event.currentTarget.value })}
      />
      {roleClaim.trim() !== "" && (
        <Stack gap="xs">
          <Text size="sm" fw={500}>
            {texts.roleRules}
          </Text>
          {roleRules.length === 0 && <Hint>{texts.noRole}</Hint>}
          {roleRules.map((rule, index) => (
            <RuleRow
              // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name, and keep their order
              key={index}
              rule={rule}
              number={index + 1}
              onChange={(next) => replace(index, next)}
              onRemove={() => change({ roleRules: roleRules.toSpliced(index, 1) })}
            />
          ))}
          <Group>
            <Action
              icon={Plus}
              size="xs"
              label={texts.addRule}
              onClick={() => change({ roleRules: [...roleRules, { value: "", role: "viewer" }] })}
            />
          </Group>
        </Stack>
      )}
    </>
  );
}

type RuleRowProps = { rule: Rule; number: number; onChange(rule: Rule): void; onRemove(): void };

function RuleRow({ rule, number, onChange, onRemove }: RuleRowProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <TextInput
        aria-label={texts.rule({ number })}
        placeholder="weft-editors"
        autoComplete="off"
        flex={1}
        value={rule.value}
        onChange={(event) => onChange({ ...rule, value: event.currentTarget.value })}
      />
      <Select
        aria-label={texts.ruleRole({ number })}
        allowDeselect={false}
        w={140}
        data={roleOptions}
        value={rule.role}
        onChange={(chosen) => onChange({ ...rule, role: roleOf(chosen) ?? rule.role })}
      />
      <IconAction icon={Trash2} label={texts.removeRule({ number })} onClick={onRemove} />
    </Group>
  );
}
