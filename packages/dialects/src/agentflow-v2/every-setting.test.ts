import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { foreignFlow, startNode } from "../testing/foreign-file.ts";
import { convertAgentFlowV2 } from "./convert-agentflow-v2.ts";

/** Values of the inputs of a node, and under `when` those of others, without which a form does not show these. */
type Group = { when?: JsonObject; inputs: JsonObject };

const rows = (...values: JsonObject[]): Json => values;
const update = rows({ key: "topic", value: "{{ output }}" });
const stores = rows({ documentStore: "id:Store", docStoreDescription: "d", returnSourceDocuments: true });

const memoryOf = (node: string): Group[] => [
  { when: { [`${node}EnableMemory`]: true }, inputs: { [`${node}EnableMemory`]: false } },
  {
    when: { [`${node}EnableMemory`]: true },
    inputs: { [`${node}MemoryType`]: "windowSize" },
  },
  {
    when: { [`${node}EnableMemory`]: true, [`${node}MemoryType`]: "windowSize" },
    inputs: { [`${node}MemoryWindowSize`]: "7" },
  },
  {
    when: { [`${node}EnableMemory`]: true, [`${node}MemoryType`]: "conversationSummaryBuffer" },
    inputs: { [`${node}MemoryMaxTokenLimit`]: "777" },
  },
];

const modelOf = (node: string): Group[] => [
  {
    when: { [`${node}EnableMemory`]: true },
    inputs: {
      [`${node}Messages`]: rows({ role: "system", content: "Changed" }),
      [`${node}UserMessage`]: "Changed",
      [`${node}ReturnResponseAs`]: "assistantMessage",
      [`${node}StructuredOutput`]: rows({ key: "changed", type: "string", description: "d" }),
      [`${node}UpdateState`]: update,
    },
  },
  ...memoryOf(node),
];

const form = rows({ type: "string", label: "Changed", name: "changed", addOptions: "" });
const webhook = { startInputType: "webhookTrigger" };
const schedule = {
  startInputType: "scheduleInput",
  scheduleType: "cronExpression",
  scheduleCronExpression: "0 9 * * *",
};
const picker = (scheduleFrequency: string) => ({
  startInputType: "scheduleInput",
  scheduleType: "visualPicker",
  scheduleFrequency,
  scheduleOnTime: "09:00",
});

const nodes: Readonly<Record<string, { base: JsonObject; groups: Group[] }>> = {
  startAgentflow: {
    base: { startInputType: "chatInput" },
    groups: [
      {
        inputs: {
          startInputType: "formInput",
          startEphemeralMemory: true,
          startState: rows({ key: "topic", value: "changed" }),
          startPersistState: true,
        },
      },
      {
        when: { startInputType: "formInput" },
        inputs: { formTitle: "Changed", formDescription: "Changed", formInputTypes: form },
      },
      {
        when: webhook,
        inputs: {
          webhookMethod: "GET",
          webhookContentType: "application/x-www-form-urlencoded",
          webhookInputMode: "payload",
          webhookDefaultInput: "Changed",
          webhookEnableAuth: true,
          webhookResponseMode: "stream",
          webhookEnableValidation: true,
        },
      },
      {
        when: { ...webhook, webhookEnableAuth: true },
        // Its secret is asked for by the finding about `webhookEnableAuth`: a flow holds none.
        inputs: { webhookSignatureHeader: "x-changed", webhookSignatureType: "plain-token" },
      },
      {
        when: { ...webhook, webhookResponseMode: "async", callbackUrl: "https://service.example" },
        inputs: { callbackUrl: "https://changed.example", callbackSecret: "changed" },
      },
      {
        when: { ...webhook, webhookEnableValidation: true },
        inputs: {
          webhookQueryParams: rows({ name: "changed", required: true }),
          webhookBodyParams: rows({ name: "changed", type: "string", required: true }),
          webhookHeaderParams: rows({ name: "changed", required: true }),
        },
      },
      {
        when: schedule,
        inputs: {
          scheduleCronExpression: "0 8 * * *",
          scheduleEndDate: "2030-01-01",
          scheduleTimezone: "Europe/Berlin",
          scheduleInputMode: "none",
          scheduleDefaultInput: "Changed",
        },
      },
      {
        when: { ...schedule, scheduleInputMode: "form" },
        inputs: { scheduleFormInputTypes: form, scheduleFormDefaults: '{"changed":"a"}' },
      },
      { when: picker("hourly"), inputs: { scheduleFrequency: "daily", scheduleOnMinute: "7" } },
      { when: picker("daily"), inputs: { scheduleOnTime: "17:00" } },
      { when: picker("weekly"), inputs: { scheduleOnDayOfWeek: "2,4" } },
      { when: picker("monthly"), inputs: { scheduleOnDayOfMonth: "7" } },
    ],
  },
  agentAgentflow: {
    base: { agentModel: "chatOpenAI", agentModelConfig: { modelName: "m" } },
    groups: [
      { inputs: { agentModel: "chatAnthropic", agentToolsBuiltInOpenAI: '["code_interpreter"]' } },
      { when: { agentModel: "chatGoogleGenerativeAI" }, inputs: { agentToolsBuiltInGemini: '["codeExecution"]' } },
      { when: { agentModel: "chatAnthropic" }, inputs: { agentToolsBuiltInAnthropic: '["web_fetch_20250910"]' } },
      {
        inputs: {
          agentTools: rows({ agentSelectedTool: "calculator", agentSelectedToolConfig: {} }),
          agentKnowledgeDocumentStores: stores,
          agentKnowledgeVSEmbeddings: rows({
            vectorStore: "memoryVectorStore",
            embeddingModel: "openAIEmbeddings",
            knowledgeName: "n",
            knowledgeDescription: "d",
          }),
        },
      },
      ...modelOf("agent"),
    ],
  },
  llmAgentflow: {
    base: { llmModel: "chatOpenAI", llmModelConfig: { modelName: "m" } },
    groups: [{ inputs: { llmModel: "chatAnthropic" } }, ...modelOf("llm")],
  },
  toolAgentflow: {
    base: { toolAgentflowSelectedTool: "calculator" },
    groups: [
      {
        inputs: {
          toolAgentflowSelectedTool: "currentDateTime",
          toolInputArgs: rows({ inputArgName: "input", inputArgValue: "1 + 1" }),
          toolUpdateState: update,
        },
      },
    ],
  },
  retrieverAgentflow: {
    base: { retrieverKnowledgeDocumentStores: stores, retrieverQuery: "q" },
    groups: [
      {
        inputs: {
          retrieverKnowledgeDocumentStores: rows({ documentStore: "other:Store" }),
          retrieverQuery: "Changed",
          outputFormat: "textWithMetadata",
          retrieverUpdateState: update,
        },
      },
    ],
  },
  conditionAgentflow: {
    base: { conditions: rows({ type: "string", value1: "a", operation: "equal", value2: "b" }) },
    groups: [
      { inputs: { conditions: rows({ type: "number", value1: "1", operation: "larger", value2: "2" }) } },
      { inputs: { conditions: rows({ type: "boolean", value1: "true", operation: "equal", value2: "false" }) } },
    ],
  },
  conditionAgentAgentflow: {
    base: {
      conditionAgentModel: "chatOpenAI",
      conditionAgentModelConfig: { modelName: "m" },
      conditionAgentInstructions: "Decide.",
      conditionAgentInput: "{{ question }}",
      conditionAgentScenarios: rows({ scenario: "one" }, { scenario: "two" }),
    },
    groups: [
      {
        inputs: {
          conditionAgentModel: "chatAnthropic",
          conditionAgentInstructions: "Changed",
          conditionAgentInput: "Changed",
          conditionAgentScenarios: rows({ scenario: "one" }, { scenario: "changed" }),
        },
      },
      { when: { conditionAgentOverrideSystemPrompt: true }, inputs: { conditionAgentSystemPrompt: "Changed" } },
      ...memoryOf("conditionAgent"),
    ],
  },
  humanInputAgentflow: {
    base: { humanInputDescriptionType: "fixed", humanInputDescription: "Go on?", humanInputEnableFeedback: true },
    groups: [
      {
        inputs: {
          humanInputDescriptionType: "dynamic",
          humanInputDescription: "Changed",
          humanInputEnableFeedback: false,
        },
      },
      {
        when: { humanInputDescriptionType: "dynamic", humanInputModel: "chatOpenAI" },
        inputs: {
          humanInputModel: "chatAnthropic",
          humanInputModelConfig: { modelName: "changed" },
          humanInputModelPrompt: "Changed",
        },
      },
    ],
  },
  executeFlowAgentflow: {
    base: { executeFlowSelectedFlow: "id", executeFlowInput: "q" },
    groups: [
      {
        inputs: {
          executeFlowSelectedFlow: "changed",
          executeFlowInput: "Changed",
          executeFlowOverrideConfig: '{"sessionId":"changed"}',
          executeFlowBaseURL: "https://changed.example",
          executeFlowReturnResponseAs: "assistantMessage",
          executeFlowUpdateState: update,
        },
      },
    ],
  },
  customFunctionAgentflow: {
    base: { customFunctionJavascriptFunction: "return 1;" },
    groups: [
      {
        inputs: {
          customFunctionInputVariables: rows({ variableName: "changed", variableValue: "v" }),
          customFunctionJavascriptFunction: "return 2;",
          customFunctionUpdateState: update,
        },
      },
    ],
  },
  loopAgentflow: {
    base: { loopBackToNode: "llmAgentflow_9-LLM", maxLoopCount: 5 },
    groups: [
      {
        inputs: {
          loopBackToNode: "",
          maxLoopCount: 7,
          fallbackMessage: "Changed",
          loopUpdateState: update,
        },
      },
    ],
  },
  iterationAgentflow: { base: { iterationInput: "[1]" }, groups: [{ inputs: { iterationInput: "[2]" } }] },
  httpAgentflow: {
    base: { method: "GET", url: "https://service.example" },
    groups: [
      {
        inputs: {
          method: "DELETE",
          url: "https://changed.example",
          headers: rows({ key: "x-changed", value: "1" }),
          queryParams: rows({ key: "changed", value: "1" }),
          responseType: "base64",
        },
      },
      { when: { method: "POST", body: "{}" }, inputs: { bodyType: "raw" } },
      { when: { method: "POST", bodyType: "json" }, inputs: { body: '{"changed":1}' } },
      { when: { method: "POST", bodyType: "formData" }, inputs: { body: rows({ key: "changed", value: "1" }) } },
    ],
  },
  directReplyAgentflow: { base: { directReplyMessage: "a" }, groups: [{ inputs: { directReplyMessage: "Changed" } }] },
  stickyNoteAgentflow: { base: { note: "a" }, groups: [{ inputs: { note: "Changed" } }] },
};

/** The native flow with that node behind a start and a step, and the findings. */
function outcome(name: string, inputs: JsonObject): string {
  const before = { id: "llmAgentflow_9", inputs: { llmModel: "chatOpenAI", llmModelConfig: { modelName: "m" } } };
  const isStart = name === "startAgentflow";
  const nodes = isStart ? [{ id: startNode.id, inputs }, before] : [startNode, before, { id: `${name}_0`, inputs }];
  const edges = [`${startNode.id}>${before.id}`, ...(isStart ? [] : [`${before.id}>${name}_0`])];
  const { flow, findings } = convertAgentFlowV2(foreignFlow(nodes, edges));
  return JSON.stringify([flow, findings.map(({ code, message }) => [code, message])]);
}

describe("every input of a node of AgentFlow V2", () => {
  for (const [name, { base, groups }] of Object.entries(nodes)) {
    it(`has an effect, or a finding says that it has none: ${name}`, () => {
      const silent = groups.flatMap(({ when = {}, inputs }) => {
        const shown = { ...base, ...when };
        return Object.entries(inputs)
          .filter(([key, value]) => outcome(name, { ...shown, [key]: value }) === outcome(name, shown))
          .map(([key]) => key);
      });
      assert.deepEqual(silent, []);
    });
  }
});
