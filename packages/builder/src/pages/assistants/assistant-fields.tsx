import { Input, Slider, Text, Textarea, TextInput } from "@mantine/core";
import { Section } from "../../components/section.tsx";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { assistantsStrings as strings } from "../../strings/assistants.ts";
import type { AssistantDraft } from "./assistant-draft.ts";
import { modelSchema } from "./model-schema.ts";
import { ToolFields } from "./tool-fields.tsx";

type Props = { draft: AssistantDraft; change(changed: Partial<AssistantDraft>): void };

/** Everything that an assistant is. */
export function AssistantFields({ draft, change }: Props) {
  return (
    <>
      <Section title={strings.who}>
        <TextInput
          label={strings.name}
          placeholder={strings.namePlaceholder}
          required
          autoComplete="off"
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={strings.description}
          description={strings.descriptionHelp}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <Textarea
          label={strings.instructions}
          description={strings.instructionsHelp}
          placeholder={strings.instructionsPlaceholder}
          autosize
          minRows={5}
          maxRows={20}
          value={draft.instructions}
          onChange={(event) => change({ instructions: event.currentTarget.value })}
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
          value={draft.temperature}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberSlider
          label={strings.topP}
          help={strings.topPHelp}
          max={1}
          value={draft.topP}
          onChange={(topP) => change({ topP })}
        />
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
          <Text span size="sm" c="dimmed" fw={400}>
            {value}
          </Text>
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
