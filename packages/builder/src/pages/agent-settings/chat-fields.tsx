import { Checkbox, Group, MultiSelect, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import { agentSettingsStrings as strings } from "../../strings.ts";
import { bind } from "../../ui/controls/bind.ts";
import { type AgentSettings, leadFields } from "./agent-settings-draft.ts";

export function ChatFields({ draft, change }: SettingsFields) {
  const field = bind(draft, change);
  return (
    <Stack gap="md">
      <TagsInput
        label={strings.prompts}
        description={strings.promptsHelp}
        splitChars={[]}
        value={[...draft.prompts]}
        onChange={(prompts) => change({ prompts })}
      />
      <Switch label={strings.followUps} description={strings.followUpsHelp} {...field.flag("suggestsFollowUps")} />
      <Switch label={strings.feedback} description={strings.feedbackHelp} {...field.flag("takesFeedback")} />
      <Switch label={strings.files} description={strings.filesHelp} {...field.flag("takesFiles")} />
      {draft.takesFiles && <FileTypes draft={draft} change={change} />}
      <Switch
        label={strings.leads}
        description={strings.leadsHelp}
        checked={draft.takesLeads}
        onChange={({ currentTarget }) => change(withLeads(draft, currentTarget.checked))}
      />
      {draft.takesLeads && <LeadForm draft={draft} change={change} />}
    </Stack>
  );
}

function FileTypes({ draft, change }: SettingsFields) {
  const others = draft.fileTypes.filter((type) => !fileTypes.some(({ value }) => value === type));
  return (
    <MultiSelect
      label={strings.fileTypes}
      description={strings.fileTypesHelp}
      data={[...fileTypes, ...others]}
      value={[...draft.fileTypes]}
      onChange={(types) => change({ fileTypes: types })}
      searchable
      clearable
      nothingFoundMessage={strings.noMatch}
    />
  );
}

/** A form asks for something. */
function withLeads({ leadFields: chosen }: AgentSettings, takesLeads: boolean): Partial<AgentSettings> {
  return { takesLeads, leadFields: chosen.length === 0 ? ["name", "email"] : chosen };
}

function LeadForm({ draft, change }: SettingsFields) {
  const field = bind(draft, change);
  return (
    <>
      <Checkbox.Group
        label={strings.leadsFields}
        value={[...draft.leadFields]}
        onChange={(chosen) => change({ leadFields: leadFields.filter((name) => chosen.includes(name)) })}
      >
        <Group mt={6}>
          {leadFields.map((name) => (
            <Checkbox key={name} value={name} label={strings.leadFields[name]} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput label={strings.leadsTitle} {...field.text("leadsTitle")} />
      <TextInput label={strings.leadsSuccess} {...field.text("leadsSuccess")} />
    </>
  );
}

const office = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";

/** Media types of the documents whose text the server reads. */
const fileTypes = [
  { value: "text/plain", label: "Text" },
  { value: "text/markdown", label: "Markdown" },
  { value: "application/pdf", label: "PDF" },
  { value: `${office}.wordprocessingml.document`, label: "Word" },
  { value: `${office}.spreadsheetml.sheet`, label: "Excel" },
  { value: `${office}.presentationml.presentation`, label: "PowerPoint" },
  { value: `${openDocument}.text`, label: "ODT" },
  { value: `${openDocument}.spreadsheet`, label: "ODS" },
  { value: `${openDocument}.presentation`, label: "ODP" },
  { value: "application/rtf", label: "RTF" },
  { value: "application/epub+zip", label: "EPUB" },
  { value: "message/rfc822", label: "EML" },
  { value: "application/x-subrip", label: "SRT" },
  { value: "text/vtt", label: "WebVTT" },
  { value: "application/x-ipynb+json", label: "Jupyter" },
  { value: "text/csv", label: "CSV" },
  { value: "text/html", label: "HTML" },
  { value: "application/json", label: "JSON" },
  { value: "application/xml", label: "XML" },
  { value: "application/yaml", label: "YAML" },
];

/** Props of a form section: all settings, and a function to change some of them. */
export type SettingsFields = { draft: AgentSettings; change(changed: Partial<AgentSettings>): void };
