import { Autocomplete, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { modelProvidersQuery } from "../../api/models.ts";
import { formStrings } from "../../strings/forms.ts";
import { fromText } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";

/** Whose model answers. Not set: the server's own choice. */
export function ModelProviderWidget({ value, onChange, id, describedBy, isInvalid, isDisabled, label }: WidgetProps) {
  const { data: providers = [] } = useQuery(modelProvidersQuery);
  const standard = providers.find(({ isDefault }) => isDefault);
  return (
    <Select
      id={id}
      data={providers.map(({ name, title }) => ({ value: name, label: title }))}
      value={typeof value === "string" && value !== "" ? value : null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      placeholder={standard ? formStrings.defaultModelOf(standard.title) : formStrings.defaultModel}
      clearable
      error={isInvalid}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}

/** A model of the provider beside it: one that the provider is known for, or any other by its name. */
export function ModelWidget({
  field,
  value,
  onChange,
  siblings,
  id,
  describedBy,
  isInvalid,
  isDisabled,
  label,
}: WidgetProps) {
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
