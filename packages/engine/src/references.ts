import {
  type ComponentKind,
  type Destination,
  isJsonObject,
  type Json,
  type JsonObject,
  type ReferenceHints,
  type ReferenceKind,
} from "@weft/schema";
import { z } from "zod";

export type Reference = {
  kind: ReferenceKind;
  /** The id or name; for an address, a file or a model, the text. It may hold `{{ … }}`, which only a run resolves. */
  id: string;
  path: readonly string[];
  /** For a credential: where it is sent. */
  goesTo?: readonly Destination[];
  /** The settings beside it, which destinations refer to. */
  beside: JsonObject;
  /** The name of the component that owns the settings; empty if none. */
  component: string;
};

/** Id for settings that refer, or may refer, to every item of a kind. */
export const everyOne = "*";

/** A component as its registry knows it, and its stored settings under the registry's names. */
export type Component = { name: string; schema: z.ZodType; config: Json };

/** Finds a component by any of its names. Undefined if unknown, in which case its references are unknown too. */
export type FindComponent = (kind: ComponentKind, name: string, config: Json) => Component | undefined;

type Settings = Pick<Reference, "beside" | "component">;
type Place = Settings & { plan: Plan; value: Json; path: readonly string[] };

/** Limits of lists in schemas are far lower: settings with more values fit no schema and never run. */
const mostVisits = 200_000;

/**
 * Yields everything that the settings refer to, as their schema declares it, in schema order. Settings need not fit the
 * schema: values that do not fit are skipped. Takes time proportional to the settings, whatever their nesting.
 */
export function referencesOf(
  settings: Json,
  { schema, component = "" }: { schema: z.ZodType; component?: string },
  find: FindComponent,
): Reference[] {
  const found: Reference[] = [];
  const open: Place[] = [{ plan: planOf(schema), value: settings, path: [], beside: {}, component }];
  for (let visits = 0; visits < mostVisits; visits += 1) {
    const place = open.pop();
    if (place === undefined) break;
    found.push(...namedBy(place));
    const inner = place.plan.hints?.settingsOf === undefined ? within(place) : ofComponent(place, find);
    for (const each of inner.reverse()) open.push(each);
  }
  return found;
}

function namedBy({ plan, value, path, beside, component }: Place): Reference[] {
  const { hints } = plan;
  if (hints === undefined) return [];
  const { ref: kind, goesTo } = hints;
  const place = { path, beside, component };
  const named: Reference[] = [];
  if (kind !== undefined)
    for (const id of idsIn(value, hints)) named.push({ kind, id, ...place, ...(goesTo && { goesTo }) });
  if (mayHoldVariables(hints))
    for (const id of variablesIn(value, hints)) named.push({ kind: "variable", id, ...place });
  return named;
}

function idsIn(value: Json, { emptyNamesAll }: Hints): string[] {
  if (emptyNamesAll === true && Array.isArray(value) && value.length === 0) return [everyOne];
  const ids = (Array.isArray(value) ? value : [value]).map((id) => (typeof id === "string" ? id.trim() : ""));
  return ids.filter((id) => id !== "");
}

/** Code can compute a variable's name, and so can anything that reads `$vars` other than by a literal name. */
function variablesIn(value: Json, { widget }: Hints): Iterable<string> {
  const named = new Set<string>();
  for (const text of textsIn(value)) {
    const names = Array.from(text.matchAll(/\$vars\.(\w{1,200})/g), ([, name = ""]) => name);
    for (const name of names) named.add(name);
    const isOpen = (widget === "javascript" && text.trim() !== "") || text.split("$vars").length - 1 > names.length;
    if (isOpen) named.add(everyOne);
  }
  return named;
}

/** A template can be an object or a list, whose texts and keys are all rendered. */
function textsIn(value: Json): string[] {
  const texts: string[] = [];
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isJsonObject(next)) for (const [name, inner] of Object.entries(next)) open.push(name, inner);
  }
  return texts;
}

function ofComponent({ plan, value, path, beside }: Place, find: FindComponent): Place[] {
  const { kind, named } = plan.hints?.settingsOf ?? {};
  const name = named === undefined ? undefined : beside[named];
  const found = kind !== undefined && typeof name === "string" ? find(kind, name, value) : undefined;
  if (found === undefined) return [];
  return [{ plan: planOf(found.schema), value: found.config, path, beside: {}, component: found.name }];
}

function within({ plan, value, path, component }: Place): Place[] {
  const at = (inner: Plan, key: string, of: Json, beside: JsonObject) => ({
    ...{ plan: inner, value: of, path: [...path, key], beside, component },
  });
  if (Array.isArray(value)) {
    const { items } = plan;
    return items === undefined ? [] : value.map((item, index) => at(items, String(index), item, {}));
  }
  const { fields = [], entries, options } = plan;
  if (options !== undefined)
    return options(value).map((option) => ({ plan: option, value, path, beside: {}, component }));
  if (!isJsonObject(value)) return [];
  if (entries !== undefined) return Object.entries(value).map(([key, entry]) => at(entries, key, entry, {}));
  return fields.flatMap(([name, field]) => {
    const inner = Object.hasOwn(value, name) ? value[name] : field.hints?.emptyNamesAll ? [] : undefined;
    return inner === undefined ? [] : [at(field, name, inner, value)];
  });
}

type Hints = ReferenceHints & { template?: boolean; widget?: string };

/** The parts of a schema that matter beyond types. */
type Plan = {
  hints?: Hints;
  fields?: (readonly [name: string, Plan])[];
  items?: Plan;
  entries?: Plan;
  /** The option that a discriminator selects; without a discriminator, all. */
  options?: (value: Json) => Plan[];
};

const plans = new WeakMap<z.ZodType, Plan>();

/** Built once per schema. A recursive schema has a recursive plan. */
function planOf(outer: z.ZodType): Plan {
  const known = plans.get(outer);
  if (known !== undefined) return known;
  const plan: Plan = {};
  plans.set(outer, plan);
  const { schema, hints } = unwrap(outer);
  if (saysItself(hints)) plan.hints = hints;
  const inner = (given: z.core.$ZodType) => {
    const part = toZodType(given);
    return saysSomething(part) ? planOf(part) : undefined;
  };
  if (schema instanceof z.ZodObject) {
    plan.fields = Object.entries(schema.shape).flatMap(([name, field]) => {
      const of = inner(field);
      return of === undefined ? [] : [[name, of] as const];
    });
  } else if (schema instanceof z.ZodUnion) plan.options = optionsOf(schema);
  else if (schema instanceof z.ZodArray) Object.assign(plan, { items: inner(schema.element) });
  else if (schema instanceof z.ZodRecord) Object.assign(plan, { entries: inner(schema.valueType) });
  return plan;
}

function optionsOf(schema: z.ZodUnion): (value: Json) => Plan[] {
  const { discriminator: key } = schema._zod.def as { discriminator?: string };
  const options = schema.options
    .map(toZodType)
    .filter(saysSomething)
    .map((option) => {
      const { schema: object } = unwrap(option);
      const tag = key !== undefined && object instanceof z.ZodObject ? toZodType(object.shape[key]) : undefined;
      return { plan: planOf(option), fits: (value: Json) => tag === undefined || tag.safeParse(value).success };
    });
  return (value) => {
    const named = key !== undefined && isJsonObject(value) ? (value[key] ?? null) : null;
    return options.filter(({ fits }) => fits(named)).map(({ plan }) => plan);
  };
}

/** The schema inside optional, default and transform wrappers, with the hints found on the way. */
function unwrap(outer: z.ZodType): { schema: z.ZodType; hints: Hints } {
  let schema = outer;
  let hints: Hints = {};
  for (;;) {
    hints = { ...z.globalRegistry.get(schema), ...hints };
    const next = behind(schema);
    if (next === undefined) return { schema, hints };
    schema = next;
  }
}

function behind(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodPipe) return toZodType(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  const { def } = schema._zod as { def: { innerType?: z.ZodType; getter?: () => z.ZodType } };
  return def.innerType ?? def.getter?.();
}

/** Whether a schema, or one nested in it, has a reference hint. */
function saysSomething(outer: z.ZodType): boolean {
  const seen = new Set<z.ZodType>();
  const open = [outer];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const { schema, hints } = unwrap(next);
    if (saysItself(hints)) return true;
    open.push(...partsOf(schema));
  }
  return false;
}

function saysItself(hints: Hints): boolean {
  return hints.ref !== undefined || hints.settingsOf !== undefined || mayHoldVariables(hints);
}

function mayHoldVariables({ template, widget }: Hints): boolean {
  return template === true || widget === "javascript";
}

function partsOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).map(toZodType);
  if (schema instanceof z.ZodArray) return [toZodType(schema.element)];
  if (schema instanceof z.ZodRecord) return [toZodType(schema.valueType)];
  if (schema instanceof z.ZodUnion) return schema.options.map(toZodType);
  return [];
}

/** Zod declares the parts of a schema by the type that all of its editions share; ours are of the classic one. */
function toZodType(part: z.core.$ZodType | undefined): z.ZodType {
  if (part instanceof z.ZodType) return part;
  throw new TypeError("The schema has a part that is not of zod's classic edition.");
}
