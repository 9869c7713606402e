import { Button, Menu, SegmentedControl } from "@mantine/core";
import { type FormHints, type Json, parseJsonOrText, toJsonObject } from "@weft/schema";
import { useState } from "react";
import { ChevronDown } from "../../icons/icons.gen.ts";
import { formStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { CodeEditor, JsonEditor } from "../code/code-editor.tsx";
import type { Completion } from "../code/editor-props.ts";
import { fromText, shownValue } from "../fields/values.ts";
import classes from "../form/form.module.css";
import type { WidgetProps } from "../form/form-scope.ts";
import { fieldListFormat, type PropertyPlace, requestParametersFormat } from "../schema-editor/formats.ts";
import { SchemaEditor } from "../schema-editor/schema-editor.tsx";

/** Widgets for code, and for values described by a schema. */
export const codeWidgets = {
  json: { component: JsonWidget, frame: "label" },
  javascript: { component: JavascriptWidget, frame: "label" },
  "structured-output": { component: StructuredOutputWidget, frame: "group" },
  parameters: { component: ParametersWidget, frame: "group" },
} as const;

function JsonWidget({ field, value, onChange, labelId, describedBy, isInvalid, isDisabled }: WidgetProps) {
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

/** JavaScript. Offers the names of sibling rows, such as input variables. */
function JavascriptWidget(props: WidgetProps) {
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
          const { name } = toJsonObject(row);
          return typeof name === "string" && /^[A-Za-z_$][\w$]*$/.test(name) ? [`$${name}`] : [];
        })
      : [],
  );
  return [...names.map((label) => ({ label, detail: "" })), ...always];
}

type AnswerKind = "words" | "fields" | "schema";

/** The format of a model's answer: text, fields, or a JSON Schema. */
function StructuredOutputWidget({ field, value, onChange, labelId, isInvalid, isDisabled }: WidgetProps) {
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
function ParametersWidget({ field, value, onChange, siblings, isInvalid, isDisabled }: WidgetProps) {
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
        <Hint size="xs">
          {isNothing ? formStrings.noParameters : formStrings.anyParameters}{" "}
          <Action
            label={isNothing ? formStrings.sendAnything : formStrings.sendNothing}
            variant="subtle"
            size="compact-xs"
            disabled={isDisabled}
            onClick={() => onChange(isNothing ? undefined : {})}
          />
        </Hint>
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

/** As the server parses a URL: `{name}` or `:name` after its host is the parameter's place. */
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
  return value.trim() === "" ? undefined : parseJsonOrText(value);
}
