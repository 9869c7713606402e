import { Button, Menu } from "@mantine/core";
import type { FormHints } from "@weft/schema";
import { ChevronDown } from "lucide-react";
import { formStrings } from "../../strings/forms.ts";
import { CodeEditor } from "../code/code-editor.tsx";
import type { Completion } from "../code/editor-props.ts";
import { JsonEditor } from "../code/json-editor.tsx";
import { fromText, shownValue } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";

/** Any JSON value. */
export function JsonWidget({ field, value, onChange, labelId, describedBy, isInvalid, isDisabled }: WidgetProps) {
  const takesText = [field.schema, ...(field.schema.anyOf ?? [])].some(({ type }) => type === "string");
  return (
    <JsonEditor
      value={shownValue(field, value)}
      onChange={onChange}
      takesText={takesText}
      labelledBy={labelId}
      placeholder={field.schema.placeholder ?? "{ }"}
      {...{ describedBy, isInvalid, isDisabled }}
    />
  );
}

/** JavaScript. Values of rows beside it, such as input variables, are offered under their names. */
export function JavascriptWidget(props: WidgetProps) {
  const { field, value, onChange, siblings, labelId, describedBy, isInvalid, isDisabled } = props;
  const { samples = [], placeholder } = field.schema;
  return (
    <>
      <CodeEditor
        language="javascript"
        value={String(shownValue(field, value) ?? "")}
        onChange={(text) => onChange(fromText(field, text))}
        minLines={8}
        maxLines={24}
        labelledBy={labelId}
        completions={completionsOf(siblings)}
        {...{ placeholder, describedBy, isInvalid, isDisabled }}
      />
      {samples.length > 0 && <Samples samples={samples} onChoose={onChange} isDisabled={isDisabled} />}
    </>
  );
}

type SamplesProps = {
  samples: NonNullable<FormHints["samples"]>;
  onChoose(text: string): void;
  isDisabled: boolean;
};

/** Sample texts to start from. Choosing one replaces the content of the field. */
function Samples({ samples, onChoose, isDisabled }: SamplesProps) {
  return (
    <Menu position="bottom-start" withinPortal disabled={isDisabled}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          mt={4}
          rightSection={<ChevronDown size={12} aria-hidden />}
          disabled={isDisabled}
        >
          {formStrings.samples}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {samples.map(({ title, text }) => (
          <Menu.Item key={title} onClick={() => onChoose(text)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const always: readonly Completion[] = ["$vars", "$flow", "$input", "fetch"].map((label) => ({ label, detail: "" }));

function completionsOf(siblings: WidgetProps["siblings"]): readonly Completion[] {
  const names = Object.values(siblings).flatMap((value) =>
    Array.isArray(value)
      ? value.flatMap((row) => {
          const name = row !== null && typeof row === "object" && !Array.isArray(row) ? row.name : undefined;
          return typeof name === "string" && /^[A-Za-z_$][\w$]*$/.test(name) ? [`$${name}`] : [];
        })
      : [],
  );
  return [...names.map((label) => ({ label, detail: "" })), ...always];
}
