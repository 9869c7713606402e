import { Anchor, Group, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { TemplateSummary } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { useMemo, useState } from "react";
import { agentKeys, createAgentDraft, newAgentFlow, newAgentStep } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { modelProvidersQuery } from "../../api/settings.ts";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { commonStrings, formStrings, newAgentStrings as strings } from "../../strings.ts";
import { FormDialog } from "../../ui/page/dialogs.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { Sentence } from "../../ui/text/sentence.tsx";
import { fillTemplate } from "./fill-template.ts";

type Need = TemplateSummary["needs"][number];

/** The model of all steps, as a form. */
const modelForm: object = {
  type: "object",
  properties: {
    model: {
      type: "object",
      title: strings.model,
      widget: "model-settings",
      properties: {
        provider: { type: "string", title: "Provider", widget: "model-provider" },
        model: { type: "string", title: "Model", widget: "model" },
        credential: { type: "string", title: "Credential", widget: "credential" },
      },
    },
  },
};

/** A form with a field for everything that a template needs besides a model; undefined where that is nothing. */
function toNeedsForm(needs: readonly Need[]): object | undefined {
  const fields = needs.flatMap((need) => (need.kind === "model" ? [] : [[need.name, toField(need)] as const]));
  return fields.length === 0 ? undefined : { type: "object", properties: Object.fromEntries(fields) };
}

function toField({ kind, title, example }: Need): object {
  if (kind !== "service") return { type: "string", title, widget: kind };
  return { type: "string", title, description: strings.address, placeholder: example ?? "" };
}

/** Asks for the name of an agent whose steps come later. */
export function BlankDialog({ onClose }: { onClose(): void }) {
  const create = useCreate();
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={strings.title}
      submitLabel={strings.submit}
      onSubmit={() => create({ name: name.trim() || strings.blankName, flowData: newAgentFlow }, newAgentStep)}
      onClose={onClose}
    >
      <NameInput value={name} placeholder={strings.blankName} onChange={setName} />
    </FormDialog>
  );
}

/** Asks for what a template needs. Everything but the name may wait. */
export function TemplateDialog({ template, onClose }: { template: TemplateSummary; onClose(): void }) {
  const create = useCreate();
  const [name, setName] = useState(template.title);
  const [given, setGiven] = useState<JsonObject>({});
  const form = useMemo(() => toNeedsForm(template.needs), [template]);
  const submit = async () => {
    const { flowData, needs, starters } = await client.getTemplate({ id: template.id });
    const starterPrompts = Object.fromEntries(starters.map((prompt, index) => [index, { prompt }]));
    const chatbotConfig = starters.length > 0 ? { chatbotConfig: JSON.stringify({ starterPrompts }) } : {};
    await create({ name: name.trim(), flowData: fillTemplate({ flowData, needs }, given), ...chatbotConfig });
  };
  return (
    <FormDialog
      title={template.title}
      submitLabel={strings.submit}
      isComplete={name.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <Hint>{template.summary}</Hint>
      <NameInput value={name} placeholder={template.title} onChange={setName} />
      {template.needs.some(({ kind }) => kind === "model") && <ModelChoice value={given} onChange={setGiven} />}
      {form && (
        <>
          <ConfigForm schema={form} value={given} onChange={setGiven} />
          <Hint size="xs">{strings.later}</Hint>
        </>
      )}
    </FormDialog>
  );
}

const openModel = { opensModel: true };

/** One line while the default model answers; fields for another once it is asked for. */
function ModelChoice({ value, onChange }: { value: JsonObject; onChange(value: JsonObject): void }) {
  const { data: providers = [] } = useQuery(modelProvidersQuery);
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ConfigForm schema={modelForm} value={value} onChange={onChange} context={openModel} />;
  const standard = providers.find(({ isDefault }) => isDefault);
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm">
        <Sentence text={(title) => commonStrings.labelled({ label: strings.model, value: title })}>
          <Text span fw={500} size="sm">
            {standard?.title ?? formStrings.defaultModel}
          </Text>
        </Sentence>
      </Text>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        {strings.otherModel}
      </Anchor>
    </Group>
  );
}

function NameInput({
  value,
  placeholder,
  onChange,
}: Record<"value" | "placeholder", string> & { onChange(name: string): void }) {
  return (
    <TextInput
      label={strings.name}
      data-autofocus
      autoComplete="off"
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Stores an agent as a draft, and opens it, with a step of it where one is to be filled in. */
function useCreate() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (fields: { name: string; flowData: string; chatbotConfig?: string }, step?: string) => {
    const { id } = await createAgentDraft(fields);
    await queries.invalidateQueries({ queryKey: agentKeys.all });
    await navigate({ to: "/agents/$agentId", params: { agentId: id }, search: step === undefined ? {} : { step } });
  };
}
