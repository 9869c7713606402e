import type { Json, JsonObject } from "@weft/schema";
import { formStrings } from "../../strings/forms.ts";
import { asObject, shownValue, withFieldOf } from "../fields/update-value.ts";
import { FieldList, Fold } from "../form/field-list.tsx";
import classes from "../form/form.module.css";
import type { WidgetProps } from "../form/form-scope.ts";

const choosing = new Set(["model-provider", "model", "credential"]);

/** Which model answers, with the parameters that few people change folded away. */
export function ModelSettingsWidget({ field, value, onChange, path }: WidgetProps) {
  const object = asObject(shownValue(field, value));
  const choice = field.fields.filter(({ widget }) => choosing.has(widget));
  const parameters = field.fields.filter(({ widget }) => !choosing.has(widget));
  const change = (name: string, changed: Json | undefined) => {
    const next = withFieldOf(field, value, { name, value: changed });
    const isProvider = choice.some((one) => one.name === name && one.widget === "model-provider");
    onChange(
      toSetting(
        isProvider
          ? withoutOthers(
              next,
              name,
              parameters.map((one) => one.name),
            )
          : next,
      ),
    );
  };
  const count = parameters.filter(({ name }) => object[name] !== undefined).length;
  return (
    <div className={classes.group}>
      <FieldList fields={choice} value={object} onChange={change} path={path} />
      <Fold title={count > 0 ? formStrings.parametersSet(count) : formStrings.parameters}>
        <FieldList
          fields={parameters.map((one) => ({ ...one, schema: { ...one.schema, advanced: false } }))}
          value={object}
          onChange={change}
          path={path}
        />
      </Fold>
    </div>
  );

  function toSetting(next: JsonObject): JsonObject | undefined {
    return Object.keys(next).length === 0 && !field.isRequired ? undefined : next;
  }
}

/** Another provider has other models and keys. What is no address of the former stays. */
function withoutOthers(next: JsonObject, provider: string, parameters: readonly string[]): JsonObject {
  const kept = new Set([provider, ...parameters.filter((name) => name !== "baseUrl")]);
  return Object.fromEntries(Object.entries(next).filter(([name]) => kept.has(name)));
}
