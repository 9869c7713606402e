import { parseJson, textOrEmpty, toJsonList } from "@weft/schema";
import { loaders } from "../../own-stores/index.ts";
import { toLiteral } from "../prompt-text.ts";
import { exitsBefore } from "../scope.ts";
import { toSearch, toStorePath, toStores } from "../stores.ts";
import { question } from "./chains.ts";
import { addStep, type StepConverter, type StepScope, textStep } from "./step.ts";

/** Passages of a store as text, found with a query of its own. */
const vectorStoreToDocument: StepConverter = {
  worksBefore: ({ output }) => output === "text",
  draw(scope) {
    const query = scope.settings.template("query") || question;
    const stores = scope.parts("vectorStore").map((store, index) => toSearch(store, toStorePath(index)));
    if (stores.length === 0) scope.report.refuse("store-missing", "No store is wired to it. Choose a document store.");
    const config = { ...toStores(stores, scope.report), query, format: "text", returnSourceDocuments: false };
    return textStep(addStep(scope, { type: "retriever", config }));
  },
};

/** A loader whose text stands in prompts: nothing is to be done in the run. */
const loaderOfText: StepConverter = {
  worksBefore: ({ output }) => output === "text",
  draw(scope) {
    const text = toText(scope);
    scope.ignore("metadata", "omitMetadataKeys");
    return { exits: exitsBefore(scope.conversion, scope.node), value: () => text };
  },
};

function toText({ node, settings, report, ignore }: StepScope): string {
  if (node.name === "plainText") return settings.template("text");
  const files = node.name === "textFile" ? textsOf(settings.text("txtFile")) : [];
  if (files.length > 0) return toLiteral(files.join("\n"));
  ignore(...Object.keys(node.inputs));
  report.refuse(
    "loader-text",
    `The text of its loader ${node.name.slice(0, 100)} is not in the flow. Put it into the prompt, or keep it in a document store and search that.`,
  );
  return "";
}

/** The texts of data URIs, of which there is one, or a JSON list. */
function textsOf(value: string): string[] {
  const uris = value.startsWith("[") ? toJsonList(parseJson(value)).map(textOrEmpty) : [value];
  return uris.flatMap((uri) => {
    const [, base64 = ""] = /^data:[^,]*;base64,([A-Za-z0-9+/=]+)/.exec(uri) ?? [];
    return base64 === "" ? [] : [Buffer.from(base64, "base64").toString("utf8")];
  });
}

export const texts: Readonly<Record<string, StepConverter>> = {
  ...Object.fromEntries([...loaders.keys()].map((name) => [name, loaderOfText])),
  vectorStoreToDocument,
};
