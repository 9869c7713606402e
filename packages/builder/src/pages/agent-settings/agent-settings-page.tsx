import {
  Alert,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { WritePolicy, WriteRuling } from "@weft/schema";
import { agentKeys, agentQuery, isOpenQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { apiKeysQuery, variablesQuery } from "../../api/settings.ts";
import { DestinationQuestions } from "../../connections/bind-host-button.tsx";
import { Check } from "../../icons/icons.gen.ts";
import { choicesIn, agentSettingsStrings as strings } from "../../strings.ts";
import { bind } from "../../ui/controls/bind.ts";
import { DraftPage, LoadedPage, type StoredDraft, useStoredDraft } from "../../ui/page/draft-page.tsx";
import { Section } from "../../ui/page/page.tsx";
import { VisitorsBlocked } from "../../visitors/visitors-blocked.tsx";
import { BackToAgent } from "../agents/agent-menu.tsx";
import { type AgentSettings, fromAgentSettings, toAgentSettings } from "./agent-settings-draft.ts";
import { ChatFields, type SettingsFields } from "./chat-fields.tsx";
import { type OverrideSettings, overridableNodes } from "./override-settings.ts";
import { SpeechFields } from "./speech/speech-fields.tsx";
import { VoiceFields } from "./speech/voice-fields.tsx";

/** Settings of an agent besides its flow: access, rate limits, and chat features. */
export function AgentSettingsPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/settings" });
  // Edited is what the server has now, not what another page read before.
  const query = useQuery({ ...agentQuery(agentId), staleTime: 0, refetchOnWindowFocus: false });
  const fresh = query.isFetchedAfterMount ? query : { ...query, data: undefined };
  return (
    <LoadedPage query={fresh} title={strings.loadingTitle} summary={<BackToAgent agentId={agentId} />}>
      {({ agent, etag }) => (
        <AgentSettingsEditor
          key={agentId}
          name={agent.name}
          flowData={agent.flowData}
          stored={{ id: agentId, etag, draft: toAgentSettings(agent) }}
        />
      )}
    </LoadedPage>
  );
}

type AgentSettingsEditorProps = { name: string; flowData: string; stored: StoredDraft<AgentSettings> & { id: string } };

function AgentSettingsEditor({ name, flowData, stored }: AgentSettingsEditorProps) {
  const { draft, change, ...editing } = useAgentSettings(stored);
  const fields = { draft, change };
  return (
    <DraftPage
      title={strings.title({ agent: name })}
      summary={<BackToAgent agentId={stored.id} />}
      editing={editing}
      strings={strings}
    >
      <Section title={strings.access}>
        <AccessFields {...fields} agentId={stored.id} isDirty={editing.isDirty} />
      </Section>
      <Section title={strings.pages} text={strings.pagesText}>
        <OriginFields {...fields} />
      </Section>
      <Section title={strings.limits} text={strings.limitsText}>
        <LimitFields {...fields} />
      </Section>
      <Section title={strings.budget} text={strings.budgetText}>
        <BudgetFields {...fields} />
      </Section>
      <Section title={strings.retention} text={strings.retentionText}>
        <RetentionFields {...fields} />
      </Section>
      <Section title={strings.overrides} text={strings.overridesText}>
        <OverrideFields {...fields} flowData={flowData} />
      </Section>
      <Section title={strings.writes} text={strings.writesText}>
        <WriteFields {...fields} />
      </Section>
      <Section title={strings.chat} text={strings.chatText}>
        <ChatFields {...fields} />
      </Section>
      <Section title={strings.speech.title} text={strings.speech.text}>
        <DestinationQuestions agentId={stored.id} etag={stored.etag} />
        <SpeechFields speech={draft.speech} onChange={(speech) => change({ speech })} />
        <VoiceFields voice={draft.voice} onChange={(voice) => change({ voice })} />
      </Section>
    </DraftPage>
  );
}

function useAgentSettings(stored: StoredDraft<AgentSettings> & { id: string }) {
  const queries = useQueryClient();
  const update = (id: string, draft: AgentSettings, options: { ifMatch?: string }) =>
    client.updateAgent({ id }, fromAgentSettings(draft), options);
  return useStoredDraft(stored, {
    create: (draft, options) => update(stored.id, draft, options),
    update,
    async load(id) {
      const { agent, etag } = await queries.fetchQuery({ ...agentQuery(id), staleTime: 0 });
      return { draft: toAgentSettings(agent), etag };
    },
    onSaved: () => queries.invalidateQueries({ queryKey: agentKeys.all }),
  });
}

function OriginFields({ draft, change }: SettingsFields) {
  const field = bind(draft, change);
  return (
    <Stack gap="md">
      <TagsInput
        label={strings.origins}
        description={strings.originsHelp}
        value={[...draft.origins]}
        onChange={(origins) => change({ origins })}
      />
      {draft.origins.length > 0 && <TextInput label={strings.originsMessage} {...field.text("originsMessage")} />}
    </Stack>
  );
}

const rulings = choicesIn(strings.rulings);

/** The actions an agent's tools and requests can take for visitors. */
function WriteFields({ draft, change }: SettingsFields) {
  const { visitorWrites } = draft;
  const field = (name: keyof WritePolicy) => ({
    label: strings.effects[name],
    data: rulings,
    value: visitorWrites[name],
    onChange: (ruling: WriteRuling | null) => change({ visitorWrites: { ...visitorWrites, [name]: ruling ?? "ask" } }),
    allowDeselect: false,
  });
  return (
    <Group align="flex-end">
      <Select {...field("write")} />
      <Select {...field("destructive")} />
    </Group>
  );
}

const most = 1_000_000;

function LimitFields({ draft, change }: SettingsFields) {
  const field = bind(draft, change);
  return (
    <Stack gap="md">
      <Switch label={strings.isLimited} {...field.flag("isLimited")} />
      {draft.isLimited && (
        <>
          <Group align="flex-end">
            <Whole label={strings.limitMax} value={draft.limitMax} onChange={(limitMax) => change({ limitMax })} />
            <Whole label={strings.limitDuration} {...field.value("limitSeconds")} />
          </Group>
          <TextInput label={strings.limitMessage} {...field.text("limitMessage")} />
        </>
      )}
    </Stack>
  );
}

const budgetAmounts = ["runs", "dollars"] as const;

/** What visitors of the agent can use up in a day. */
function BudgetFields({ draft: { budget }, change }: SettingsFields) {
  const titles = { address: strings.perVisitor, agent: strings.allVisitors };
  return (
    <Stack gap="md">
      {(["address", "agent"] as const).map((scope) => (
        <div key={scope}>
          <Text size="sm" fw={500}>
            {titles[scope]}
          </Text>
          <Group align="flex-end">
            {budgetAmounts.map((amount) => (
              <NumberInput
                key={amount}
                label={strings.budgetAmounts[amount]}
                aria-label={`${titles[scope]}: ${strings.budgetAmounts[amount]}`}
                min={0}
                max={most}
                clampBehavior="strict"
                allowDecimal={amount === "dollars"}
                allowNegative={false}
                value={budget[scope][amount]}
                onChange={(entered) =>
                  typeof entered === "number" &&
                  change({ budget: { ...budget, [scope]: { ...budget[scope], [amount]: entered } } })
                }
              />
            ))}
          </Group>
        </div>
      ))}
    </Stack>
  );
}

function RetentionFields({ draft: { retention }, change }: SettingsFields) {
  return (
    <Group align="flex-end">
      {(["visitorDays", "leadDays"] as const).map((kind) => (
        <NumberInput
          key={kind}
          label={strings.retentionDays[kind]}
          placeholder={strings.retentionUnset}
          min={1}
          max={36_500}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          value={retention[kind] || ""}
          onChange={(entered) => change({ retention: { ...retention, [kind]: Number(entered) } })}
        />
      ))}
    </Group>
  );
}

type WholeProps = { label: string; value: number; onChange(value: number): void };

/** A whole number from 1. Keeps its last value while the field is empty. */
function Whole({ label, value, onChange }: WholeProps) {
  return (
    <NumberInput
      label={label}
      min={1}
      max={most}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={value}
      onChange={(entered) => typeof entered === "number" && onChange(entered)}
    />
  );
}

type OverrideFieldsProps = SettingsFields & { flowData: string };

/** The settings API clients and visitors can change for one run. */
function OverrideFields({ draft: { overrides }, change, flowData }: OverrideFieldsProps) {
  const { data: variables } = useQuery(variablesQuery);
  const set = (changed: Partial<OverrideSettings>) => change({ overrides: { ...overrides, ...changed } });
  const field = bind(overrides, set);
  return (
    <Stack gap="md">
      <Switch label={strings.overridesOn} description={strings.overridesOnHelp} {...field.flag("isOn")} />
      {overrides.isOn && (
        <>
          <TagsInput
            label={strings.overrideVariables}
            description={strings.overrideVariablesHelp}
            data={[...new Set(variables?.map(({ name }) => name))]}
            value={[...overrides.variables]}
            onChange={(names) => set({ variables: names })}
          />
          {overridableNodes(flowData, overrides).map(({ label, names }) => (
            <MultiSelect
              key={label}
              label={strings.overrideNode({ label })}
              data={[...names]}
              value={[...(overrides.nodes[label] ?? [])]}
              onChange={(enabled) => set({ nodes: { ...overrides.nodes, [label]: enabled } })}
              searchable
              clearable
              nothingFoundMessage={strings.noMatch}
            />
          ))}
          <Switch
            label={strings.overrideHistory}
            description={strings.overrideHistoryHelp}
            {...field.flag("history")}
          />
        </>
      )}
    </Stack>
  );
}

type AccessFieldsProps = SettingsFields & { agentId: string; isDirty: boolean };

function AccessFields({ draft, change, agentId, isDirty }: AccessFieldsProps) {
  const field = bind(draft, change);
  const { data: keys } = useQuery(apiKeysQuery);
  const known = keys?.map(({ id, keyName }) => ({ value: id, label: keyName })) ?? [];
  const isLost = draft.apiKeyId !== "" && keys !== undefined && !known.some(({ value }) => value === draft.apiKeyId);
  const lost = isLost ? [{ value: draft.apiKeyId, label: strings.missingKey({ id: draft.apiKeyId.slice(0, 8) }) }] : [];
  return (
    <Stack gap="md">
      <Switch label={strings.isPublic} description={strings.isPublicHelp} {...field.flag("isPublic")} />
      {draft.isPublic && !isDirty && <Openness agentId={agentId} />}
      <Switch label={strings.deployed} description={strings.deployedHelp} {...field.flag("deployed")} />
      <Select
        label={strings.key}
        description={strings.keyHelp}
        maw={420}
        data={[{ value: "", label: strings.anyKey }, ...known, ...lost]}
        value={draft.apiKeyId}
        onChange={(id) => change({ apiKeyId: id ?? "" })}
        allowDeselect={false}
        searchable
        nothingFoundMessage={strings.noMatch}
      />
    </Stack>
  );
}

/** Whether visitors are let in, as a visitor finds it. */
function Openness({ agentId }: { agentId: string }) {
  const { data: isOpen } = useQuery(isOpenQuery(agentId));
  if (isOpen === undefined) return null;
  if (!isOpen) return <VisitorsBlocked />;
  return (
    <Alert color="green" variant="light" icon={<Check size={18} aria-hidden />} role="status">
      {strings.opened}
    </Alert>
  );
}
