import type { UseQueryResult } from "@tanstack/react-query";
import { fromText } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";
import { ResourceSelect } from "./resource-select.tsx";

type Props = WidgetProps & {
  query: Pick<UseQueryResult<readonly { id: string; name: string }[]>, "data" | "isError">;
  placeholder: string;
};

/** One stored thing, kept by its id. */
export function ResourceWidget({ field, query: { data, isError }, onChange, ...props }: Props) {
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
