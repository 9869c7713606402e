import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Expression, type ObjectExpression, parseSync, type TemplateLiteral, Visitor } from "oxc-parser";
import { errorCatalogue } from "../../packages/schema/src/error-code.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Where the findings of flows and the reasons of refusals are written: patterns of files, from the root. What is written
 * elsewhere is shown in English.
 */
const sources = [
  "packages/engine/src/flow/*.ts",
  "packages/engine/src/sql/sql-settings.ts",
  "packages/nodes/src/{condition,custom-function,direct-reply,execute-flow,http,iteration,loop,sql,start,start-webhook,tool,vector-store}.ts",
  "packages/integrations/src/{review-tool,custom-tool,request-integrations}.ts",
  "packages/integrations/src/calls/call-settings.ts",
  "packages/server/src/flows/*.ts",
  "packages/server/src/references/check-references.ts",
  "packages/server/src/credentials/destinations.ts",
  "packages/schema/src/timing.ts",
  "packages/server/src/request-trials/request-trial.service.ts",
  "packages/run-host/src/executions/{execution-control,replay}.ts",
];

/** What the schemas themselves say about a value. */
const ofSchemas = [
  "Invalid input: expected {expected}, received {received}",
  "Invalid option: expected one of {options}",
  "Invalid input",
  "Too small: expected {what} to have >={least} characters",
  "Too small: expected {what} to have >={least} items",
  "Too small: expected {what} to be >={least}",
  "Too big: expected {what} to have <={most} characters",
  "Too big: expected {what} to have <={most} items",
  "Too big: expected {what} to be <={most}",
  "Unrecognized key: {key}",
  "Unrecognized keys: {keys}",
];

/** Sentences with their values as `{name}`, and the words that fill such places. */
export type Sentences = { sentences: ReadonlySet<string>; words: ReadonlySet<string> };

export function readSentences(): Sentences {
  const ofErrors = Object.values(errorCatalogue).map(({ message }) => message);
  // What is only a place for a reason has nothing to translate.
  const sentences = new Set<string>([...ofErrors.filter((message) => !/^\{\w+\}$/.test(message)), ...ofSchemas]);
  const words = new Set<string>();
  for (const pattern of sources) {
    const files = globSync(pattern, { cwd: root })
      .filter((file) => !file.endsWith(".test.ts"))
      .toSorted();
    if (files.length === 0) throw new Error(`scripts/messages/read-sentences.ts: no file fits ${pattern}`);
    for (const file of files) {
      const found = sentencesIn(readFileSync(`${root}${file}`, "utf8"));
      for (const sentence of found.sentences) sentences.add(sentence);
      for (const word of found.words) words.add(word);
    }
  }
  return { sentences, words };
}

/** Texts that a form or the API's description shows, which come with them. */
const otherwiseShown = /^(help|summary|description|details|placeholder|content)$/;

export function sentencesIn(source: string): Sentences {
  const sentences = new Set<string>();
  const words = new Set<string>();
  const shownOtherwise = new Set<unknown>();
  const add = (text: string, node: unknown) => {
    if (isSentence(text) && !shownOtherwise.has(node)) sentences.add(text);
  };
  new Visitor({
    Property({ key, value }) {
      const name = key.type === "Identifier" ? key.name : "";
      if (otherwiseShown.test(name)) shownOtherwise.add(value);
      if (name === "fix") for (const title of textsOf(value, /^title$/)) words.add(title);
    },
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && id.name.endsWith("Words")) for (const word of textsOf(init, /./)) words.add(word);
    },
    // Faults of the program, not of a flow.
    NewExpression({ callee, arguments: given }) {
      if (callee.type === "Identifier" && callee.name === "Error") for (const one of given) shownOtherwise.add(one);
    },
    Literal(node) {
      if (typeof node.value === "string") add(node.value, node);
    },
    TemplateLiteral(node) {
      add(toTemplate(node, source), node);
    },
  }).visit(parseSync("source.ts", source).program);
  return { sentences, words };
}

/** Ends as a sentence does, or with one that is put in. */
function isSentence(text: string): boolean {
  return /\S \S.*(\.|\{(message|problem|reason)\})$/s.test(text);
}

function textsOf(value: { type: string } | null, name: RegExp): string[] {
  if (value?.type !== "ObjectExpression") return [];
  return (value as ObjectExpression).properties.flatMap((property) => {
    if (property.type !== "Property" || property.key.type !== "Identifier" || !name.test(property.key.name)) return [];
    return property.value.type === "Literal" && typeof property.value.value === "string" ? [property.value.value] : [];
  });
}

/** The text with the names of its values: `Its tool {name} takes no argument {name2}.` */
function toTemplate({ quasis, expressions }: TemplateLiteral, source: string): string {
  const names: { name: string; code: string }[] = [];
  const nameOf = (expression: Expression) => {
    const code = source.slice(expression.start, expression.end);
    const known = names.find((one) => one.code === code);
    if (known) return known.name;
    const plain = toName(code);
    const count = names.filter(({ name }) => name.replace(/\d+$/, "") === plain).length;
    const name = count === 0 ? plain : `${plain}${count + 1}`;
    names.push({ name, code });
    return name;
  };
  return quasis
    .map(({ value: { cooked } }, index) => {
      const expression = expressions[index];
      return `${cooked}${expression === undefined ? "" : `{${nameOf(expression)}}`}`;
    })
    .join("");
}

/** The last name of the first value in an expression, without the methods that are called on it. */
function toName(code: string): string {
  const inner = code.replace(/^JSON\.stringify\(/, "").replace(/^\W+/, "");
  const [chain = ""] = /^[\w?.]+/.exec(inner) ?? [];
  const parts = chain.split(/[?.]+/).filter(Boolean);
  const isCalled = inner.charAt(chain.length) === "(" && parts.length > 1;
  return parts.at(isCalled ? -2 : -1) ?? "value";
}
