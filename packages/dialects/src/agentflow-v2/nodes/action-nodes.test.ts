import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { convertNode, foreignFlow, nodeOf } from "../../testing/foreign-file.ts";
import { convertAgentFlowV2 } from "../convert-agentflow-v2.ts";

describe("an HTTP node", () => {
  const url = "https://api.example/users";

  it("keeps the call, and takes an error status for a result", () => {
    const { config, codes } = convertNode(
      "httpAgentflow_0",
      {
        method: "POST",
        url: `<p>${url}</p>`,
        headers: [
          { key: "x-team", value: "{{ $vars.team }}" },
          { key: "", value: "x" },
          { key: "x-empty", value: "" },
        ],
        queryParams: [{ key: "page", value: "1" }],
        bodyType: "json",
        body: "{ name: '{{ question }}', }",
        responseType: "arraybuffer",
      },
      { data: { credential: "c-1" } },
    );
    assert.deepEqual(codes, []);
    assert.deepEqual(config, {
      method: "POST",
      url,
      query: [{ key: "page", value: "1" }],
      bodyType: "json",
      body: '{\n  "name": "{{ question }}"\n}',
      headers: [{ key: "x-team", value: "{{ $vars.team }}" }],
      responseType: "array-buffer",
      credential: "c-1",
      failOnErrorStatus: false,
    });
  });

  it("encodes bodies of every type", () => {
    const rows = [{ key: "a", value: "{{ question }}" }];
    const bodies: [JsonObject, JsonObject][] = [
      [{}, {}],
      [{ bodyType: "json", body: "" }, {}],
      [
        { bodyType: "raw", body: "a: {{ question }}" },
        { bodyType: "raw", body: "a: {{ question }}" },
      ],
      [
        { bodyType: "formData", body: rows },
        { bodyType: "form-data", form: rows },
      ],
      [
        { bodyType: "xWwwFormUrlencoded", body: rows },
        { bodyType: "x-www-form-urlencoded", form: rows },
      ],
      [
        { bodyType: "json", body: "[1]" },
        { bodyType: "json", body: "[\n  1\n]" },
      ],
      [
        { bodyType: "json", body: "{{ question }}" },
        { bodyType: "raw", body: "{{ question }}", headers: [{ key: "content-type", value: "application/json" }] },
      ],
    ];
    for (const [inputs, body] of bodies) {
      const { config, codes } = convertNode("httpAgentflow_0", {
        method: "POST",
        url,
        responseType: "constructor",
        ...inputs,
      });
      assert.equal(config.responseType, "json");
      const { bodyType, body: text, form, headers } = config;
      const shown = Object.entries({ bodyType, body: text, form, headers }).filter(([, value]) => value !== undefined);
      assert.deepEqual(Object.fromEntries(shown), { headers: [], ...body });
      assert.deepEqual(codes, []);
    }
  });

  it("says where a body differs or cannot be sent", () => {
    const body = (text: string) =>
      convertNode("httpAgentflow_0", { method: "POST", url, bodyType: "json", body: text }).codes;
    assert.deepEqual(body('{"n": {{ question }}}'), ["warning http-body-values"]);
    assert.deepEqual(body('{"n": "{{ question }}"}'), []);
    assert.deepEqual(body("{ open"), ["error http-body-invalid"]);
    const { config: open, codes: ofOpen } = convertNode("httpAgentflow_0", { method: "GET", url: "" });
    assert.deepEqual([open.url, ofOpen], ["", []], "the step itself says that its URL is missing");
  });

  it("keeps its answer where others look for it", () => {
    const message =
      "{{ httpAgentflow_0.output.http.data.users[0].name }} {{ httpAgentflow_0.output.http }} {{ httpAgentflow_0 }}";
    const nodes = [
      { id: "httpAgentflow_0", inputs: { url } },
      { id: "directReplyAgentflow_0", inputs: { directReplyMessage: message } },
    ];
    assert.equal(
      nodeOf(convertAgentFlowV2(foreignFlow(nodes)).flow, "directReplyAgentflow_0").config.message,
      "{{ httpAgentflow_0.output.data.users.0.name }} {{ httpAgentflow_0.output }} {{ httpAgentflow_0 }}",
    );
  });
});

describe("a tool node", () => {
  const request = { requestsGetUrl: "https://api.example" };

  it("calls one tool with arguments side by side", () => {
    const { config, codes } = convertNode("toolAgentflow_0", {
      toolAgentflowSelectedTool: "requestsGet",
      toolAgentflowSelectedToolConfig: request,
      toolInputArgs: [
        { inputArgName: "queryParams", inputArgValue: '{ id: "{{ question }}", n: 2 }' },
        { inputArgName: "note", inputArgValue: "<p>x</p>" },
        { inputArgName: "body", inputArgValue: "no JSON" },
        { inputArgName: "", inputArgValue: "x" },
      ],
      toolUpdateState: [{ key: "found", value: "{{ output }}" }],
    });
    assert.deepEqual(codes, []);
    assert.deepEqual(config, {
      tool: { type: "request-get", config: { url: "https://api.example" } },
      arguments: [
        { name: "id", value: "{{ question }}" },
        { name: "n", value: "2" },
        { name: "note", value: "x" },
        { name: "body", value: "no JSON" },
      ],
      updateState: [{ key: "found", value: "{{ output }}" }],
    });
  });

  it("gives its only argument the name that the tool has here", () => {
    const argumentsOf = (name: string, inputArgName: string, config: object = {}) => {
      const toolInputArgs = [{ inputArgName, inputArgValue: "{{ question }}" }];
      const inputs = { toolAgentflowSelectedTool: name, toolAgentflowSelectedToolConfig: { ...config }, toolInputArgs };
      return (convertNode("toolAgentflow_0", inputs).config.arguments as { name: string }[]).map((row) => row.name);
    };
    assert.deepEqual(argumentsOf("calculator", "input"), ["expression"]);
    assert.deepEqual(argumentsOf("serpAPI", "input"), ["query"]);
    assert.deepEqual(argumentsOf("webScraperTool", "input"), ["url"]);
    assert.deepEqual(argumentsOf("codeInterpreterE2B", "input"), ["code"]);
    assert.deepEqual(argumentsOf("ChatflowTool", "input", { selectedChatflow: "id" }), ["question"]);
    assert.deepEqual(argumentsOf("customTool", "input", { selectedTool: "id" }), ["input"]);
  });

  it("reads the names of earlier versions first", () => {
    const inputs = { selectedTool: "calculator", selectedToolConfig: {}, toolAgentflowSelectedTool: "gmail" };
    assert.deepEqual(convertNode("toolAgentflow_0", inputs).config.tool, { type: "calculator", config: {} });
  });

  it("says when one tool of several is meant", () => {
    const toolkit = (selectedEndpoints: string) =>
      convertNode("toolAgentflow_0", {
        toolAgentflowSelectedTool: "openAPIToolkit",
        toolAgentflowSelectedToolConfig: { openApiFile: "openapi: 3.0.0", selectedEndpoints },
      }).codes;
    assert.deepEqual(toolkit('["listUsers"]'), []);
    assert.deepEqual(toolkit(""), ["warning tool-ambiguous"]);
    assert.deepEqual(convertNode("toolAgentflow_0", {}).codes, ["error tool-missing"]);
  });
});

describe("the other nodes", () => {
  it("run a function with its variables", () => {
    const { config, codes } = convertNode("customFunctionAgentflow_0", {
      customFunctionInputVariables: [{ variableName: "user", variableValue: "{{ question }}" }, { variableName: "" }],
      customFunctionJavascriptFunction:
        "const fetch = require('node-fetch'), _ = require('lodash')\n// require('x')\nreturn $user;",
      customFunctionUpdateState: "",
    });
    assert.deepEqual(codes, []);
    assert.deepEqual(config, {
      variables: [{ name: "user", value: "{{ question }}" }],
      code: "const fetch = require('node-fetch'), _ = require('lodash')\n// require('x')\nreturn $user;",
    });
    for (const name of ["typeorm", "pg", "mysql2", "mysql2/promise"]) {
      const code = `const { x } = require("${name}");`;
      assert.deepEqual(convertNode("customFunctionAgentflow_0", { customFunctionJavascriptFunction: code }).codes, []);
    }
    const waits = "await new Promise((done) => setTimeout(done, 10)); return 1;";
    const waiting = convertNode("customFunctionAgentflow_0", { customFunctionJavascriptFunction: waits });
    assert.deepEqual([waiting.codes, waiting.config.code], [[], waits]);
  });

  it("search document stores", () => {
    const stores = (...ids: string[]) => ids.map((documentStore) => ({ documentStore }));
    const { config, codes } = convertNode("retrieverAgentflow_0", {
      retrieverKnowledgeDocumentStores: stores("a:Wiki", "b:Mail"),
      outputFormat: "textWithMetadata",
    });
    assert.deepEqual(config, {
      stores: [{ storeId: "a" }, { storeId: "b" }],
      query: "{{ question }}",
      format: "text-with-metadata",
    });
    assert.deepEqual(codes, ["warning retriever-stores"]);
    assert.deepEqual(convertNode("retrieverAgentflow_0", {}).codes, ["error knowledge-missing"]);
  });

  it("ask another flow", () => {
    const { config, codes } = convertNode("executeFlowAgentflow_0", {
      executeFlowSelectedFlow: "f-1",
      executeFlowInput: "<p>{{ question }}</p>",
      executeFlowOverrideConfig: "{ vars: { team: '{{ $vars.team }}' } }",
      executeFlowBaseURL: "https://other.example",
    });
    assert.deepEqual(codes, ["warning flow-address-ignored"]);
    assert.deepEqual(config, {
      agentId: "f-1",
      input: "{{ question }}",
      overrideConfig: '{"vars":{"team":"{{ $vars.team }}"}}',
      responseRole: "user",
    });
    assert.deepEqual(convertNode("executeFlowAgentflow_0", { executeFlowOverrideConfig: "x" }).codes, [
      "error flow-missing",
      "error flow-overrides-invalid",
    ]);
  });

  it("keep notes, and HTML that an author wrote", () => {
    assert.deepEqual(convertNode("stickyNoteAgentflow_0", { note: "Read me" }).config, { text: "Read me" });
    const { config, codes } = convertNode("directReplyAgentflow_0", {
      directReplyMessage: "<table><tr><td>{{ question }}</td></tr></table>",
    });
    assert.equal(config.message, "<table><tr><td>{{ question }}</td></tr></table>");
    assert.deepEqual(codes, ["warning html-kept"]);
  });
});
