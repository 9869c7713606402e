import { Autocomplete, MultiSelect, Select } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { toJsonList } from "@weft/schema";
import { agentsQuery, toolsQuery } from "../../api/agents.ts";
import { documentStoresQuery } from "../../api/document-stores.ts";
import { modelProvidersQuery } from "../../api/settings.ts";
import { formStrings } from "../../strings.ts";
import { vendorMarksIn } from "../../ui/vendor-mark.tsx";
import { fromText } from "../fields/values.ts";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";
import { ModelSettingsWidget } from "./model-line.tsx";

/** Choices among what the platform holds: agents, stores, tools, models, and the steps of the flow. */
export const resourceWidgets = {
  "model-settings": { component: ModelSettingsWidget, frame: "group" },
  "model-provider": { component: ModelProviderWidget, frame: "label" },
  model: { component: ModelWidget, frame: "label" },
  agent: { component: AgentWidget, frame: "label" },
  "document-store": { component: DocumentStoreWidget, frame: "label" },
  "custom-tool": { component: CustomToolWidget, frame: "label" },
  "custom-tools": { component: CustomToolsWidget, frame: "label" },
  node: { component: NodeWidget, frame: "label" },
} as const;

type Props = WidgetProps & {
  query: UseQueryResult<readonly { id: string; name: string }[]>;
  placeholder: string;
};

/** One stored thing, kept by its id. */
function ResourceWidget({ field, query: { data, isError }, onChange, ...props }: Props) {
  return (
    <ResourceSelect
      {...props}
      choices={data?.map(({ id, name }) => ({ value: id, label: name }))}
      hasFailed={isError}
      onChange={(id) => onChange(fromText(field, id ?? ""))}
      isOptional={!field.isRequired}
    />
  );
}

type ResourceSelectProps = Pick<WidgetProps, "id" | "describedBy" | "isInvalid" | "isDisabled" | "label" | "value"> & {
  choices: readonly { value: string; label: string }[] | undefined;
  hasFailed: boolean;
  onChange(value: string | undefined): void;
  placeholder: string;
  /** Whether none can be chosen. */
  isOptional: boolean;
};

/** A select for one item of a list from the API. Items no longer in the list are shown by id. */
function ResourceSelect({
  choices,
  hasFailed,
  value,
  onChange,
  placeholder,
  isOptional,
  ...props
}: ResourceSelectProps) {
  const { id, describedBy, isInvalid, isDisabled, label } = props;
  const current = typeof value === "string" && value !== "" ? value : null;
  const isLost = current !== null && choices !== undefined && !choices.some((one) => one.value === current);
  const lost = isLost ? [{ value: current, label: formStrings.missing({ id: current }) }] : [];
  return (
    <Select
      id={id}
      data={[...(choices ?? []), ...lost]}
      value={current}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      placeholder={choices === undefined ? (hasFailed ? formStrings.loadFailed : formStrings.loading) : placeholder}
      searchable
      clearable={isOptional}
      allowDeselect={false}
      nothingFoundMessage={formStrings.noMatch}
      error={isInvalid || isLost}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}

function AgentWidget(props: WidgetProps) {
  return <ResourceWidget {...props} query={useQuery(agentsQuery)} placeholder={formStrings.chooseAgent} />;
}

/** Documents that can be searched. */
function DocumentStoreWidget(props: WidgetProps) {
  return <ResourceWidget {...props} query={useQuery(documentStoresQuery)} placeholder={formStrings.chooseStore} />;
}

function CustomToolWidget(props: WidgetProps) {
  return <ResourceWidget {...props} query={useQuery(toolsQuery)} placeholder={formStrings.chooseTool} />;
}

function CustomToolsWidget({ value, onChange, id, describedBy, isInvalid, isDisabled }: WidgetProps) {
  const { data, isError } = useQuery(toolsQuery);
  const chosen = toJsonList(value).map(String);
  const known = data?.map((tool) => ({ value: tool.id, label: tool.name })) ?? [];
  const lost = chosen.filter((one) => !known.some((tool) => tool.value === one));
  return (
    <MultiSelect
      id={id}
      data={[...known, ...lost.map((one) => ({ value: one, label: data ? formStrings.missing({ id: one }) : one }))]}
      value={chosen}
      onChange={(ids) => onChange(ids.length === 0 ? undefined : ids)}
      placeholder={chosen.length > 0 ? undefined : isError ? formStrings.loadFailed : formStrings.chooseTool}
      searchable
      clearable
      nothingFoundMessage={formStrings.noMatch}
      error={isInvalid}
      disabled={isDisabled}
      aria-describedby={describedBy}
    />
  );
}

/** Another step of the flow. */
function NodeWidget({ field, onChange, ...props }: WidgetProps) {
  const { context } = useFormScope();
  return (
    <ResourceSelect
      {...props}
      choices={(context.nodes ?? []).map(({ id, label }) => ({ value: id, label: label || id }))}
      hasFailed={false}
      onChange={(id) => onChange(fromText(field, id ?? ""))}
      placeholder={formStrings.chooseNode}
      isOptional={!field.isRequired}
    />
  );
}

/** Whose model answers. Not set: the server's own choice. */
function ModelProviderWidget({ value, onChange, id, describedBy, isInvalid, isDisabled, label }: WidgetProps) {
  const { data: providers = [] } = useQuery(modelProvidersQuery);
  const standard = providers.find(({ isDefault }) => isDefault);
  const choices = providers.map(({ name, title }) => ({ value: name, label: title }));
  const chosen = typeof value === "string" && value !== "" ? value : null;
  return (
    <Select
      id={id}
      data={choices}
      value={chosen}
      {...vendorMarksIn(choices, chosen)}
      onChange={(next) => onChange(next ?? undefined)}
      placeholder={standard ? formStrings.defaultModelOf({ title: standard.title }) : formStrings.defaultModel}
      clearable
      error={isInvalid}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}

/** A model of the provider beside it: one that the provider is known for, or any other by its name. */
function ModelWidget({ field, value, onChange, siblings, id, describedBy, isInvalid, isDisabled, label }: WidgetProps) {
  const { data: providers = [] } = useQuery(modelProvidersQuery);
  const provider = providers.find(({ name, isDefault }) =>
    siblings.provider ? name === siblings.provider : isDefault,
  );
  return (
    <Autocomplete
      id={id}
      data={provider?.models ?? []}
      value={typeof value === "string" ? value : ""}
      onChange={(typed) => onChange(fromText(field, typed))}
      placeholder={provider?.models[0] ?? formStrings.modelPlaceholder}
      // Opening the list offers all options, regardless of the current choice.
      filter={({ options, search }) =>
        search === value
          ? options
          : options.filter((one) => "label" in one && one.label.toLowerCase().includes(search.toLowerCase()))
      }
      error={isInvalid}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}
