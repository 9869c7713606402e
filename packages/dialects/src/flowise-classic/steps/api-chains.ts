import { isJsonObject, type JsonObject } from "@weft/schema";
import { convertTool, createSettings } from "../../agentflow-v2/index.ts";
import { toModel } from "../models.ts";
import { parsePromptText, toLiteral } from "../prompt-text.ts";
import { exitsBefore, toPromptValue } from "../scope.ts";
import { question, toSystem } from "./chains.ts";
import { addHelper, addStep, type StepConverter, type StepScope, textStep, toResponseRole } from "./step.ts";

const presetGetUrl =
  "You are given the documentation of an API:\n{api_docs}\n\nWrite the complete URL that it takes to answer the question below, and nothing else. Leave out what the answer does not need.\n\nQuestion: {question}\nURL:";

const presetPostUrl =
  "You are given the documentation of an API:\n{api_docs}\n\nWrite the call that it takes to answer the question below: url, the complete address, and data, the body as an object. Leave out what the answer does not need.\n\nQuestion: {question}";

const presetAnswer =
  "Documentation of an API:\n{api_docs}\n\nQuestion: {question}\n\nThis was called: {api_url}\n\nIt responded:\n{api_response}\n\nAnswer the question from the response.";

/** A model writes the call, the call is made, and a model words the response. */
function apiChain(method: "GET" | "POST"): StepConverter {
  const isPost = method === "POST";
  return {
    draw(scope) {
      const { settings, conversion, node } = scope;
      const model = toModel(scope);
      const docs = { api_docs: toLiteral(settings.text("apiDocs")), question };
      const preset = isPost ? presetPostUrl : presetGetUrl;
      const written = addHelper(scope, {
        name: "url",
        label: "Write the call",
        type: "llm",
        config: {
          model,
          prompt: fill(settings.text("urlPrompt").trim() || preset, docs),
          memory: { type: "off" },
          responseRole: "none",
          ...(isPost ? { structuredOutput: postCall } : {}),
        },
        from: exitsBefore(conversion, node),
      });
      const url = isPost ? `{{ ${written.id}.output.url }}` : `{{ ${written.id} }}`;
      const body = isPost ? { bodyType: "json", body: `{{ ${written.id}.output.data }}` } : {};
      const called = addHelper(scope, {
        name: "call",
        label: "Call",
        type: "http",
        config: { method, url, headers: toHeaders(scope), failOnErrorStatus: false, ...body },
        from: [written],
      });
      const values = { ...docs, api_url: url, api_response: `{{ ${called.id} }}` };
      const prompt = fill(settings.text("ansPrompt").trim() || presetAnswer, values);
      const config = { model, prompt, memory: { type: "off" }, ...toResponseRole(scope) };
      return textStep(addStep(scope, { type: "llm", config, from: [called] }));
    },
  };
}

const postCall = [
  { name: "url", type: "string" },
  { name: "data", type: "object" },
];

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return parsePromptText(text).render((name) => (Object.hasOwn(values, name) ? values[name] : undefined));
}

function toHeaders({ settings, report }: StepScope): JsonObject[] {
  const headers = settings.json("headers");
  if (headers === undefined) return [];
  if (isJsonObject(headers))
    return Object.entries(headers).map(([key, value]) => ({ key, value: toPromptValue(value) }));
  report.refuse("headers-invalid", "Its headers are not a JSON object. Correct them.");
  return [];
}

/** One operation of an API, whose response is the answer. */
const openApiChain: StepConverter = {
  draw(scope) {
    const { settings, report } = scope;
    const source = {
      openApiLink: settings.text("yamlLink"),
      openApiFile: settings.text("yamlFile"),
      headers: settings.text("headers"),
      returnDirect: true,
    };
    const tool = convertTool(
      "openAPIToolkit",
      createSettings(source, (text) => text),
      report,
    );
    scope.ignore("inputModeration");
    const config = {
      model: toModel(scope),
      messages: toSystem("Answer the question by calling the operation of the API that fits."),
      prompt: question,
      tools: tool === undefined ? [] : [tool],
      memory: { type: "off" },
      ...toResponseRole(scope),
    };
    return textStep(addStep(scope, { type: "agent", config }));
  },
};

export const apiChains: Readonly<Record<string, StepConverter>> = {
  getApiChain: apiChain("GET"),
  apiChain: apiChain("GET"),
  postApiChain: apiChain("POST"),
  openApiChain,
};
