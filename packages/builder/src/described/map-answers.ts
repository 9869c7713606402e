import type {
  CredentialType,
  DocumentComponent,
  Integration,
  ModelProvider,
  NodeType,
  TemplateSummary,
} from "@weft/client";
import { isCode, toTitle } from "../forms/fields/to-title.ts";

/** A text in the reader's language. `context`: the name of the component that has it, where its meaning may depend on it. */
export type Say = (text: string, context: string) => string;

/** A node type whose title is translated, with the title that stored flows have. */
export type DescribedNodeType = NodeType & { readonly writtenTitle?: string };

/**
 * The operations whose answers describe what the server offers, each with what makes a copy of its answer in the reader's
 * language. All that people read is passed to `say` exactly there: so the same walk lists the texts to translate.
 */
export const describedAnswers = {
  listNodeTypes: (answer: NodeType[], say: Say) => answer.map((type) => sayNodeType(type, say)),
  listIntegrations: (answer: Integration[], say: Say) =>
    answer.map((one) => ({ ...sayComponent(one, one.type, say), config: sayForm(one.config, one.type, say) })),
  listCredentialTypes: (answer: CredentialType[], say: Say) =>
    answer.map((one) => ({ ...one, title: say(one.title, one.name), fields: sayFields(one.fields, one.name, say) })),
  listModelProviders: (answer: ModelProvider[], say: Say) =>
    answer.map((one) => ({
      ...sayComponent(one, one.name, say),
      credentialFields: sayFields(one.credentialFields, one.name, say),
    })),
  listTemplates: (answer: TemplateSummary[], say: Say) =>
    answer.map((one) => ({
      ...sayComponent(one, one.id, say),
      needs: one.needs.map((need) => ({ ...need, title: say(need.title, one.id) })),
    })),
  listLoaderTypes: sayComponents,
  listSplitters: sayComponents,
  listEmbeddingProviders: sayComponents,
  listVectorStores: sayComponents,
  listRecordManagers: sayComponents,
  listRetrievalSettings: sayComponents,
} as const;

function sayNodeType(type: NodeType, say: Say): DescribedNodeType {
  const { type: name, ports, config, title } = type;
  return {
    ...sayComponent(type, name, say),
    writtenTitle: title,
    ports: ports.map((port) => ({ ...port, title: say(port.title, name) })),
    config: sayForm(config, name, say),
  };
}

function sayComponents(answer: DocumentComponent[], say: Say): DocumentComponent[] {
  return answer.map((one) => ({ ...sayComponent(one, one.name, say), schema: sayForm(one.schema, one.name, say) }));
}

function sayComponent<One extends { title: string; summary: string }>(one: One, context: string, say: Say): One {
  return { ...one, title: say(one.title, context), summary: say(one.summary, context) };
}

function sayFields<One extends { title: string; help?: string }>(
  fields: readonly One[],
  context: string,
  say: Say,
): One[] {
  return fields.map((field) => ({
    ...field,
    title: say(field.title, context),
    ...(field.help !== undefined && { help: say(field.help, context) }),
  }));
}

/** The part of a JSON Schema that a form shows. */
type Form = {
  title?: string;
  help?: string;
  placeholder?: string;
  item?: string;
  fold?: string;
  hidden?: boolean;
  enum?: readonly unknown[];
  const?: unknown;
  labels?: Readonly<Record<string, string>>;
  samples?: readonly { title: string; text: string }[];
  properties?: Readonly<Record<string, Form>>;
  items?: Form;
  anyOf?: readonly Form[];
  oneOf?: readonly Form[];
};

/** A copy of the form's schema. Fields and choices without a title have that of their name, as forms show them. */
function sayForm<Schema extends object>(schema: Schema, context: string, say: Say): Schema {
  return sayField(schema as Form, (text) => say(text, context)) as Schema;
}

type SayHere = (text: string) => string;

function sayField(field: Form, say: SayHere): Form {
  const { properties, items, anyOf, oneOf, samples } = field;
  return {
    ...field,
    ...sayHints(field, say),
    ...(samples && { samples: samples.map(({ title, text }) => ({ title: say(title), text })) }),
    ...(field.enum && { labels: sayChoices(field.enum, field.labels ?? {}, say) }),
    ...(properties && { properties: sayProperties(properties, say) }),
    ...(items && { items: sayField(items, say) }),
    ...(anyOf && { anyOf: anyOf.map((one) => sayVariant(one, say)) }),
    ...(oneOf && { oneOf: oneOf.map((one) => sayVariant(one, say)) }),
  };
}

/** One of several shapes: told apart by a constant, which names it where it has no title. */
function sayVariant(variant: Form, say: SayHere): Form {
  const tag = Object.values(variant.properties ?? {}).find((property) => property.const !== undefined);
  return sayField(tag === undefined ? variant : { title: toTitle(String(tag.const)), ...variant }, say);
}

function sayHints({ title, help, placeholder, item, fold }: Form, say: SayHere): Form {
  return {
    ...(title && { title: say(title) }),
    ...(help && { help: say(help) }),
    ...(placeholder && { placeholder: isExample(placeholder) ? placeholder : say(placeholder) }),
    ...(item && { item: say(item) }),
    ...(fold && { fold: say(fold) }),
  };
}

/** Whether what an empty field shows is a value, code or no words: `https://…`, `gpt-4o`, `0 9 * * 1-5`, `a = {{ b }}`. */
function isExample(text: string): boolean {
  return /^\S+$|[=({]|^[^\p{L}]*$/u.test(text);
}

function sayProperties(properties: NonNullable<Form["properties"]>, say: SayHere): Readonly<Record<string, Form>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      if (field.hidden || field.const !== undefined) return [name, field];
      return [name, sayField({ title: toTitle(name), ...field }, say)];
    }),
  );
}

function sayChoices(choices: readonly unknown[], labels: Readonly<Record<string, string>>, say: SayHere) {
  const said = choices.flatMap((choice) => {
    const value = String(choice);
    const label = labels[value] ?? (isCode(value) ? undefined : toTitle(value));
    return label === undefined ? [] : [[value, say(label)] as const];
  });
  return { ...labels, ...Object.fromEntries(said) };
}
