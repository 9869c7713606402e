import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { toolsQuery } from "../../api/tools.ts";
import { formStrings } from "../../strings/forms.ts";
import { asList } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";
import { ResourceWidget } from "./resource-widget.tsx";

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
