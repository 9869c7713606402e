import { Button, SegmentedControl, Text } from "@mantine/core";
import type { Json } from "@weft/schema";
import { useState } from "react";
import { formStrings } from "../../strings/forms.ts";
import { JsonEditor } from "../code/json-editor.tsx";
import classes from "../form/form.module.css";
import type { WidgetProps } from "../form/form-scope.ts";
import { fieldListFormat } from "../schema-editor/field-list-format.ts";
import { requestParametersFormat } from "../schema-editor/request-parameters-format.ts";
import { SchemaEditor } from "../schema-editor/schema-editor.tsx";
import type { PropertyPlace } from "../schema-editor/schema-property.ts";

type AnswerKind = "words" | "fields" | "schema";

/** The format of a model's answer: text, fields, or a JSON Schema. */
export function StructuredOutputWidget({ field, value, onChange, labelId, isInvalid, isDisabled }: WidgetProps) {
  const [chosen, setChosen] = useState<AnswerKind>(() => kindOf(value));
  const kind = value === undefined ? chosen : kindOf(value);
  const choose = (next: AnswerKind) => {
    setChosen(next);
    if (next !== kind) onChange(undefined);
  };
  return (
    <div className={classes.rows}>
      <SegmentedControl
        fullWidth
        data={[
          { value: "words", label: formStrings.words },
          { value: "fields", label: formStrings.fields },
          { value: "schema", label: formStrings.asJson },
        ]}
        value={kind}
        onChange={choose}
        disabled={isDisabled}
        aria-labelledby={labelId}
      />
      {kind === "fields" && (
        <SchemaEditor
          format={fieldListFormat}
          value={value}
          onChange={onChange}
          label={field.title}
          isInvalid={isInvalid}
          isDisabled={isDisabled}
        />
      )}
      {kind === "schema" && (
        <JsonEditor
          value={value}
          onChange={onChange}
          takesText
          label={field.title}
          minLines={6}
          placeholder={'{ "type": "object", "properties": { } }'}
          isInvalid={isInvalid}
          isDisabled={isDisabled}
        />
      )}
    </div>
  );
}

function kindOf(value: Json | undefined): AnswerKind {
  if (value === undefined) return "words";
  return Array.isArray(value) ? "fields" : "schema";
}

/** The parameters a model fills in for a request: anything, nothing, or parameters by name. */
export function ParametersWidget({ field, value, onChange, siblings, isInvalid, isDisabled }: WidgetProps) {
  const object = parsed(value);
  const { url } = siblings;
  const format = {
    ...requestParametersFormat,
    placeOf: (name: string) => placeIn(typeof url === "string" ? url : "", name) ?? elsewhere(field.name),
  };
  const isNothing = object !== null && typeof object === "object" && Object.keys(object).length === 0;
  return (
    <div className={classes.rows}>
      {(object === undefined || isNothing) && (
        <Text size="xs" c="dimmed">
          {isNothing ? formStrings.noParameters : formStrings.anyParameters}{" "}
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={isDisabled}
            onClick={() => onChange(isNothing ? undefined : {})}
          >
            {isNothing ? formStrings.clear : formStrings.sendNothing}
          </Button>
        </Text>
      )}
      <SchemaEditor
        format={format}
        value={object}
        onChange={onChange}
        label={field.title}
        isInvalid={isInvalid}
        isDisabled={isDisabled}
      />
    </div>
  );
}

/** As the server reads an address: `{name}` or `:name` behind its host is the parameter's place. */
function placeIn(url: string, name: string): PropertyPlace | undefined {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const behindHost = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  return new RegExp(`\\{${escaped}\\}|:${escaped}(?![A-Za-z0-9_])`).test(behindHost) ? "path" : undefined;
}

function elsewhere(fieldName: string): PropertyPlace {
  return fieldName === "bodySchema" ? "body" : "query";
}

/** Some settings are stored as JSON text; invalid JSON is left to the JSON editor. */
function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return undefined;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}
