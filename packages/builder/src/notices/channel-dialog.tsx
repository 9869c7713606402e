import { Checkbox, Group, MultiSelect, Select, Stack, Switch, TextInput } from "@mantine/core";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import type { NoticeChannel } from "@weft/client";
import { useState } from "react";
import { agentsQuery } from "../api/agents.ts";
import { client } from "../api/client.ts";
import { commonStrings, namesIn, noticesStrings } from "../strings.ts";
import { CopyButton } from "../ui/content/code-block.tsx";
import { Choice } from "../ui/controls/choice.tsx";
import { FormDialog } from "../ui/page/dialogs.tsx";

const texts = noticesStrings.channels;
const kinds = namesIn(noticesStrings.kinds);

type Kind = NoticeChannel["kind"];

/** What is entered: address and secret only to change them, no agents for all, and hours also while they are off. */
type Draft = {
  name: string;
  kind: Kind;
  address: string;
  secret: string;
  kinds: NoticeChannel["kinds"];
  agents: string[];
  isQuiet: boolean;
  hours: NonNullable<NoticeChannel["quietHours"]>;
  isEnabled: boolean;
};

type Props = { channel?: NoticeChannel; stale: readonly QueryKey[]; onClose(): void };

/** `channel` absent: a new one. */
export function ChannelDialog({ channel, stale, onClose }: Props) {
  const [draft, setDraft] = useState<Draft>(() => toDraft(channel));
  const change = (changes: Partial<Draft>) => setDraft((current) => ({ ...current, ...changes }));
  const isNew = channel === undefined;
  const isComplete = draft.name.trim() !== "" && draft.kinds.length > 0 && (!isNew || draft.address.trim() !== "");
  return (
    <FormDialog
      title={isNew ? texts.create : texts.edit}
      size="lg"
      isComplete={isComplete}
      onSubmit={() => save(channel, draft)}
      stale={stale}
      done={texts.saved({ name: draft.name.trim() })}
      onClose={onClose}
    >
      <TextInput
        label={commonStrings.name}
        data-autofocus
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {isNew && <KindChoice kind={draft.kind} onChange={(kind) => change({ kind })} />}
      <DestinationFields draft={draft} change={change} isNew={isNew} />
      <AboutFields draft={draft} change={change} />
      <QuietFields draft={draft} change={change} />
      <Switch
        label={texts.isEnabled}
        checked={draft.isEnabled}
        onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

function toDraft(channel: NoticeChannel | undefined): Draft {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const hours = { from: "22:00", to: "07:00", timeZone };
  const fresh: Draft = {
    ...{ name: "", kind: "slack", address: "", secret: "", kinds: [...kinds], agents: [] },
    ...{ isQuiet: false, hours, isEnabled: true },
  };
  if (channel === undefined) return { ...fresh, secret: newSecret() };
  const { name, kind, agents, quietHours, isEnabled } = channel;
  return {
    ...{ ...fresh, name, kind, isEnabled, kinds: [...channel.kinds], agents: agents === "all" ? [] : [...agents] },
    ...(quietHours !== null && { isQuiet: true, hours: quietHours }),
  };
}

/** 256 bits, as Standard Webhooks writes them. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

function save(channel: NoticeChannel | undefined, draft: Draft): Promise<NoticeChannel> {
  const { name, kind, isEnabled } = draft;
  const [address, secret] = [draft.address.trim(), kind === "webhook" ? draft.secret.trim() : ""];
  const [first, ...others] = draft.agents;
  const body = {
    ...{ name, isEnabled, kinds: draft.kinds, agents: first === undefined ? ("all" as const) : [first, ...others] },
    quietHours: draft.isQuiet ? draft.hours : null,
  };
  if (channel === undefined) return client.createNoticeChannel({ ...body, kind, address, secret });
  const changed = { ...(address !== "" && { address }), ...(secret !== "" && { secret }) };
  return client.updateNoticeChannel({ id: channel.id }, { ...body, ...changed });
}

type FieldsProps = { draft: Draft; change(changes: Partial<Draft>): void };

const ways: readonly { value: Kind; label: string; hint: string }[] = [
  { value: "slack", label: texts.slack, hint: texts.slackHint },
  { value: "mail", label: texts.mail, hint: texts.mailHint },
  { value: "webhook", label: texts.webhook, hint: texts.webhookHint },
];

function KindChoice({ kind, onChange }: { kind: Kind; onChange(kind: Kind): void }) {
  return <Choice<Kind> label={texts.kind} options={ways} value={kind} onChange={onChange} />;
}

function DestinationFields({ draft: { kind, address, secret }, change, isNew }: FieldsProps & { isNew: boolean }) {
  const isMail = kind === "mail";
  return (
    <>
      <TextInput
        label={isMail ? texts.mailAddress : texts.address}
        description={isNew ? undefined : texts.addressKept}
        placeholder={isMail ? "ops@example.com" : "https://"}
        autoComplete="off"
        maxLength={2_000}
        value={address}
        onChange={(event) => change({ address: event.currentTarget.value })}
      />
      {kind === "webhook" && (
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={texts.secret}
            description={isNew ? texts.secretHint : texts.secretKept}
            autoComplete="off"
            flex={1}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            maxLength={200}
            value={secret}
            onChange={(event) => change({ secret: event.currentTarget.value })}
          />
          {secret !== "" && <CopyButton text={secret} />}
        </Group>
      )}
    </>
  );
}

function AboutFields({ draft, change }: FieldsProps) {
  const agents = useQuery(agentsQuery).data ?? [];
  const names = new Map([
    ...draft.agents.map((id) => [id, id] as const),
    ...agents.map(({ id, name }) => [id, name] as const),
  ]);
  return (
    <>
      <Checkbox.Group
        label={texts.about}
        value={[...draft.kinds]}
        onChange={(chosen) => change({ kinds: kinds.filter((kind) => chosen.includes(kind)) })}
      >
        <Stack gap={8} mt={6}>
          {kinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={noticesStrings.kinds[kind]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <MultiSelect
        label={texts.agents}
        description={texts.agentsHint}
        placeholder={draft.agents.length === 0 ? texts.allAgents : undefined}
        searchable
        maxValues={100}
        data={[...names].map(([value, label]) => ({ value, label }))}
        value={draft.agents}
        onChange={(chosen) => change({ agents: chosen })}
      />
    </>
  );
}

const zonesShown = 50;

function QuietFields({ draft: { isQuiet, hours }, change }: FieldsProps) {
  const zones = [...new Set(["UTC", hours.timeZone, ...Intl.supportedValuesOf("timeZone")])];
  const time = (name: "from" | "to") => ({
    type: "time",
    label: texts[name],
    value: hours[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ hours: { ...hours, [name]: event.currentTarget.value } }),
  });
  return (
    <>
      <Switch
        label={texts.quiet}
        description={texts.quietHint}
        checked={isQuiet}
        onChange={(event) => change({ isQuiet: event.currentTarget.checked })}
      />
      {isQuiet && (
        <Group grow align="flex-start">
          <TextInput {...time("from")} />
          <TextInput {...time("to")} />
          <Select
            label={texts.timeZone}
            searchable
            allowDeselect={false}
            limit={zonesShown}
            data={zones}
            value={hours.timeZone}
            onChange={(zone) => change({ hours: { ...hours, timeZone: zone ?? hours.timeZone } })}
          />
        </Group>
      )}
    </>
  );
}
