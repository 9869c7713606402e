import { Collapse, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ModelPrice, ModelProvider } from "@weft/client";
import { type Json, type JsonObject, textOrEmpty, toJsonObject } from "@weft/schema";
import { useState } from "react";
import { defaultModelQuery, modelProvidersQuery, pricesQuery } from "../../api/settings.ts";
import { ChevronDown } from "../../icons/icons.gen.ts";
import { formatDollars } from "../../languages/index.ts";
import { agentsStrings, formStrings } from "../../strings.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { VendorMark } from "../../ui/vendor-mark.tsx";
import { shownValue, withFieldOf } from "../fields/values.ts";
import { FieldList, Fold } from "../form/field-list.tsx";
import formClasses from "../form/form.module.css";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";
import classes from "./model-line.module.css";

const choosing = new Set(["model-provider", "model", "credential"]);

/** Which model answers, in one line: its mark, its name and its price. The fields behind it open below. */
export function ModelSettingsWidget(props: WidgetProps) {
  const { field, value, path, id } = props;
  const { context, problems } = useFormScope();
  const [isOpen, setOpen] = useState(context.opensModel === true);
  // Those of the whole are said below.
  const count = problems.count(path) - problems.at(path).length;
  return (
    <div className={classes.settings} data-open={isOpen || undefined}>
      <UnstyledButton id={id} className={classes.line} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        <VisuallyHidden>{field.title}</VisuallyHidden>
        <ModelName settings={toJsonObject(shownValue(field, value))} />
        {count > 0 && !isOpen && (
          <Text span size="xs" c="var(--mantine-color-error)">
            {formStrings.problems({ count })}
          </Text>
        )}
        <ChevronDown size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
      </UnstyledButton>
      <Collapse expanded={isOpen} keepMounted={false}>
        <div className={classes.fields}>
          <ModelFields {...props} />
        </div>
      </Collapse>
    </div>
  );
}

/** The model that settings mean. What is not known yet keeps its place. */
function ModelName({ settings }: { settings: JsonObject }) {
  const { data: providers } = useQuery(modelProvidersQuery);
  const { data: standard } = useQuery(defaultModelQuery);
  const { data: prices } = useQuery(pricesQuery);
  const { provider, model, isDefault } = usedModel(settings, standard);
  const vendor = providers?.find(({ name }) => name === provider)?.title ?? provider;
  const title = provider === "rehearsal" ? agentsStrings.rehearsalModel : vendor;
  const price = prices && priceOf(`${provider}/${model}`, [prices.prices, prices.environment, prices.list]);
  const state = isDefault ? formStrings.isDefault : model === "" ? formStrings.modelPlaceholder : undefined;
  const notes = [
    state ?? (price ? [] : title),
    price ? formStrings.modelPrice({ input: dollars(price.input), output: dollars(price.output) }) : [],
  ].flat();
  return (
    <>
      {provider !== "" && <VendorMark name={provider} title={title} />}
      <span className={classes.name}>{model || title}</span>
      <Hint component="span" size="xs" className={classes.notes}>
        {notes.join(" · ")}
      </Hint>
    </>
  );
}

function usedModel(
  settings: JsonObject,
  standard: { provider: string; model: string } = { provider: "", model: "" },
): { provider: string; model: string; isDefault: boolean } {
  const provider = textOrEmpty(settings.provider);
  const model = textOrEmpty(settings.model);
  if (provider === "" && model === "") return { ...standard, isDefault: true };
  return { provider: provider || standard.provider, model, isDefault: false };
}

/** Whole cents, and what is less where there is. */
const dollars = (amount: number) => formatDollars(amount, 2, 4);

/** The first price of a model in these lists, by their rank. */
function priceOf(id: string, lists: readonly { [id: string]: ModelPrice }[]): ModelPrice | undefined {
  return lists.find((list) => Object.hasOwn(list, id))?.[id];
}

/** Provider, model and credential, with the parameters that few people change folded away. */
function ModelFields({ field, value, onChange, path }: WidgetProps) {
  const object = toJsonObject(shownValue(field, value));
  const choice = field.fields.filter(({ widget }) => choosing.has(widget));
  const { data: providers } = useQuery(modelProvidersQuery);
  const taken = parametersOf(providers, object.provider);
  const parameters = field.fields.filter(
    ({ name, widget }) => !choosing.has(widget) && (name === "baseUrl" || taken?.has(name) !== false || name in object),
  );
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
    <div className={formClasses.list}>
      <FieldList fields={choice} value={object} onChange={change} path={path} />
      {parameters.length > 0 && (
        <Fold title={count > 0 ? formStrings.parametersSet({ count }) : formStrings.parameters}>
          <FieldList
            fields={parameters.map((one) => ({ ...one, schema: { ...one.schema, advanced: false } }))}
            value={object}
            onChange={change}
            path={path}
          />
        </Fold>
      )}
    </div>
  );

  function toSetting(next: JsonObject): JsonObject | undefined {
    return Object.keys(next).length === 0 && !field.isRequired ? undefined : next;
  }
}

/** What models of the provider take, or of the default one; undefined while that is not known. */
function parametersOf(providers: readonly ModelProvider[] | undefined, chosen: Json | undefined) {
  const provider = providers?.find(({ name, isDefault }) => (chosen ? name === chosen : isDefault));
  return provider && new Set<string>(provider.parameters);
}

/** Keeps the provider and its parameters. Models, key and address belonged to the former provider. */
function withoutOthers(next: JsonObject, provider: string, parameters: readonly string[]): JsonObject {
  const kept = new Set([provider, ...parameters.filter((name) => name !== "baseUrl")]);
  return Object.fromEntries(Object.entries(next).filter(([name]) => kept.has(name)));
}
