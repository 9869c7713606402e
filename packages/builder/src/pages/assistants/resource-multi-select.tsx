import { MultiSelect } from "@mantine/core";
import { assistantsStrings } from "../../strings/assistants.ts";

type Props = {
  label: string;
  placeholder: string;
  /** Undefined while they are loaded. */
  choices: readonly { id: string; name: string }[] | undefined;
  ids: readonly string[];
  error?: string | undefined;
  onChange(ids: string[]): void;
};

/** Several things of a list that the API gives. What the list does not have any more can be taken out. */
export function ResourceMultiSelect({ label, placeholder, choices, ids, error, onChange }: Props) {
  const known = choices?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const lost = ids.filter((id) => !known.some(({ value }) => value === id));
  const lostLabel = (id: string) => (choices === undefined ? id : assistantsStrings.missing(id));
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
