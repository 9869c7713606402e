import { MultiSelect, Select } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../api/agents.ts";
import { documentStoresQuery } from "../../api/document-stores.ts";
import { toolsQuery } from "../../api/tools.ts";
import { formStrings } from "../../strings/forms.ts";
import { asList, fromText } from "../fields/update-value.ts";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";

type Props = WidgetProps & {
  query: Pick<UseQueryResult<readonly { id: string; name: string }[]>, "data" | "isError">;
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
  const lost = isLost ? [{ value: current, label: formStrings.missing(current) }] : [];
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

/** Another agent. */
export function AgentWidget(props: WidgetProps) {
  return <ResourceWidget {...props} query={useQuery(agentsQuery)} placeholder={formStrings.chooseAgent} />;
}

/** Documents that can be searched. */
export function DocumentStoreWidget(props: WidgetProps) {
  return <ResourceWidget {...props} query={useQuery(documentStoresQuery)} placeholder={formStrings.chooseStore} />;
}

/** A stored tool. */
export function CustomToolWidget(props: WidgetProps) {
  return <ResourceWidget {...props} query={useQuery(toolsQuery)} placeholder={formStrings.chooseTool} />;
}

/** Several stored tools. */
export function CustomToolsWidget({ value, onChange, id, describedBy, isInvalid, isDisabled }: WidgetProps) {
  const { data, isError } = useQuery(toolsQuery);
  const chosen = asList(value).map(String);
  const known = data?.map((tool) => ({ value: tool.id, label: tool.name })) ?? [];
  const lost = chosen.filter((one) => !known.some((tool) => tool.value === one));
  return (
    <MultiSelect
      id={id}
      data={[...known, ...lost.map((one) => ({ value: one, label: data ? formStrings.missing(one) : one }))]}
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
export function NodeWidget({ field, onChange, ...props }: WidgetProps) {
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
