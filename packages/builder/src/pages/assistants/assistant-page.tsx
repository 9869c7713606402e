import { Alert, Input, MultiSelect, Skeleton, Slider, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { agentKeys, assistantKeys, assistantQuery, toolsQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { documentStoreKeys, documentStoresQuery } from "../../api/document-stores.ts";
import { ChatPanel } from "../../chat/index.ts";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { assistantsStrings, assistantsStrings as strings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { bind } from "../../ui/controls/bind.ts";
import { BackLink } from "../../ui/controls/links.tsx";
import { DraftPage, LoadedPage, type StoredDraft, useStoredDraft } from "../../ui/page/draft-page.tsx";
import { Section } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import {
  type AssistantDraft,
  type AssistantTool,
  fromAssistantDraft,
  newAssistantDraft,
  newSearchDraft,
  toAssistantDraft,
  withTool,
} from "./assistant-draft.ts";
import classes from "./assistants.module.css";

export function AssistantPage() {
  const { assistantId } = useParams({ from: "/assistants/$assistantId" });
  const query = useQuery({ ...assistantQuery(assistantId), staleTime: 0, refetchOnWindowFocus: false });
  return (
    <LoadedPage query={query} title={strings.title} summary={<BackLink to="/assistants" label={strings.back} />}>
      {({ assistant, etag }) => (
        <AssistantEditor key={assistantId} stored={{ id: assistantId, etag, draft: toAssistantDraft(assistant) }} />
      )}
    </LoadedPage>
  );
}

export function NewAssistantPage() {
  const { store } = useSearch({ from: "/assistants/new" });
  const draft = store === undefined ? newAssistantDraft : newSearchDraft(store);
  return <AssistantEditor key={store} stored={{ id: undefined, etag: "", draft }} />;
}

/** An assistant next to a chat with its saved version. */
function AssistantEditor({ stored }: { stored: StoredDraft<AssistantDraft> }) {
  const { draft, change, ...editing } = useAssistantDraft(stored);
  return (
    <DraftPage
      title={draft.name || strings.newTitle}
      summary={<BackLink to="/assistants" label={strings.back} />}
      editing={editing}
      isNew={stored.id === undefined}
      isComplete={draft.name.trim() !== ""}
      strings={strings}
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <AssistantFields draft={draft} change={change} />
        </div>
        <div className={classes.chat}>
          <Chat id={stored.id} isDirty={editing.isDirty} />
        </div>
      </div>
    </DraftPage>
  );
}

function Chat({ id, isDirty }: { id: string | undefined; isDirty: boolean }) {
  if (id === undefined) return <Hint className={classes.later ?? ""}>{strings.chatLater}</Hint>;
  const notice = isDirty && (
    <Hint size="xs" px="md" pt="xs">
      {strings.unsaved}
    </Hint>
  );
  return (
    <Suspense fallback={<Skeleton height="100%" />}>
      <ChatPanel agentId={id} notice={notice} />
    </Suspense>
  );
}

function useAssistantDraft(stored: StoredDraft<AssistantDraft>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useStoredDraft(stored, {
    create: (draft, options) => client.createAssistant(fromAssistantDraft(draft), options),
    update: (id, draft, options) => client.updateAssistant({ id }, fromAssistantDraft(draft), options),
    async load(id) {
      const { assistant, etag } = await queries.fetchQuery({ ...assistantQuery(id), staleTime: 0 });
      return { draft: toAssistantDraft(assistant), etag };
    },
    async onSaved(assistant) {
      await queries.invalidateQueries({ queryKey: [...assistantKeys.all, "list"] });
      await queries.invalidateQueries({ queryKey: agentKeys.one(assistant.id) });
      await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
      if (stored.id !== undefined) return;
      const params = { assistantId: assistant.id };
      await navigate({ to: "/assistants/$assistantId", params, ignoreBlocker: true, replace: true });
    },
  });
}

type Props = { draft: AssistantDraft; change(changed: Partial<AssistantDraft>): void };

/** Everything that an assistant is. */
function AssistantFields({ draft, change }: Props) {
  const field = bind(draft, change);
  return (
    <>
      {draft.refused.map((refusal) => (
        <Alert key={`${refusal.code} ${refusal.message}`} variant="light" color="red">
          {refusal.message}
          <Action
            label={strings.dealtWith}
            size="compact-xs"
            mt={8}
            display="block"
            onClick={() => change({ refused: draft.refused.filter((one) => one !== refusal) })}
          />
        </Alert>
      ))}
      <Section title={strings.who}>
        <TextInput
          label={strings.name}
          placeholder={strings.namePlaceholder}
          required
          autoComplete="off"
          {...field.text("name")}
        />
        <TextInput label={strings.description} description={strings.descriptionHelp} {...field.text("description")} />
        <Textarea
          label={strings.instructions}
          description={strings.instructionsHelp}
          placeholder={strings.instructionsPlaceholder}
          autosize
          minRows={5}
          maxRows={20}
          {...field.text("instructions")}
        />
      </Section>
      <Section title={strings.model}>
        <ConfigForm
          schema={modelSchema}
          value={draft.model}
          onChange={(model) => change({ model: withOwn(draft.model, model) })}
        />
        <NumberSlider
          label={strings.temperature}
          help={strings.temperatureHelp}
          max={2}
          {...field.value("temperature")}
        />
        <NumberSlider label={strings.topP} help={strings.topPHelp} max={1} {...field.value("topP")} />
      </Section>
      <Section title={strings.tools} text={strings.toolsHelp}>
        <ToolFields draft={draft} change={change} />
      </Section>
    </>
  );
}

/** Another provider has other models and keys. */
function withOwn(before: AssistantDraft["model"], after: AssistantDraft["model"]): AssistantDraft["model"] {
  if (before.provider === after.provider) return after;
  return after.provider === undefined ? {} : { provider: after.provider };
}

type SliderProps = { label: string; help: string; max: number; value: number; onChange(value: number): void };

function NumberSlider({ label, help, max, value, onChange }: SliderProps) {
  return (
    <Input.Wrapper
      label={
        <>
          {label}{" "}
          <Hint span fw={400}>
            {value}
          </Hint>
        </>
      }
      description={help}
      labelElement="div"
    >
      <Slider
        mt={10}
        mb={4}
        min={0}
        max={max}
        step={0.05}
        value={value}
        onChange={onChange}
        label={null}
        thumbLabel={label}
      />
    </Input.Wrapper>
  );
}

/** The form of an assistant's model: the pickers that every model of a flow has. */
const modelSchema = {
  type: "object",
  properties: {
    provider: { type: "string", title: "Provider", widget: "model-provider" },
    model: { type: "string", title: "Model", widget: "model", help: strings.modelHelp },
    credential: { type: "string", title: "Credential", widget: "credential" },
  },
} as const;

type ToolFieldsProps = { draft: AssistantDraft; change(changed: Partial<AssistantDraft>): void };

function ToolFields({ draft: { tools, toolIds, storeIds }, change }: ToolFieldsProps) {
  const { data: stored } = useQuery(toolsQuery);
  const { data: stores } = useQuery(documentStoresQuery);
  const toggle = (tool: AssistantTool, description: string) => (
    <Switch
      label={strings.toolNames[tool]}
      description={description}
      checked={tools.includes(tool)}
      onChange={({ currentTarget }) => change({ tools: withTool(tools, tool, currentTarget.checked) })}
    />
  );
  return (
    <Stack gap="md">
      {toggle("file_search", strings.fileHelp)}
      {tools.includes("file_search") && (
        <ResourceMultiSelect
          label={strings.whichStores}
          placeholder={strings.chooseStores}
          choices={stores}
          ids={storeIds}
          error={storeIds.length === 0 ? strings.noStore : undefined}
          onChange={(ids) => change({ storeIds: ids })}
        />
      )}
      {toggle("function", strings.functionsHelp)}
      {tools.includes("function") && (
        <ResourceMultiSelect
          label={strings.whichTools}
          placeholder={strings.allTools}
          choices={stored}
          ids={toolIds}
          onChange={(ids) => change({ toolIds: ids })}
        />
      )}
      {toggle("code_interpreter", strings.codeHelp)}
    </Stack>
  );
}

type ResourceMultiSelectProps = {
  label: string;
  placeholder: string;
  /** Undefined while they are loaded. */
  choices: readonly { id: string; name: string }[] | undefined;
  ids: readonly string[];
  error?: string | undefined;
  onChange(ids: string[]): void;
};

/** A multi-select of a list from the API. Entries no longer in the list can be removed. */
function ResourceMultiSelect({ label, placeholder, choices, ids, error, onChange }: ResourceMultiSelectProps) {
  const known = choices?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const lost = ids.filter((id) => !known.some(({ value }) => value === id));
  const lostLabel = (id: string) => (choices === undefined ? id : assistantsStrings.missing({ id: id.slice(0, 8) }));
  return (
    <MultiSelect
      label={label}
      placeholder={ids.length === 0 ? placeholder : ""}
      data={[...known, ...lost.map((id) => ({ value: id, label: lostLabel(id) }))]}
      value={[...ids]}
      onChange={onChange}
      error={error}
      searchable
      clearable
      nothingFoundMessage={assistantsStrings.noMatch}
    />
  );
}
