import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { convertNode } from "../../testing/foreign-file.ts";

/** The native tools of an agent with that component, and the findings. */
function convert(agentSelectedTool: string, agentSelectedToolConfig: JsonObject = {}) {
  const agentTools = [{ agentSelectedTool, agentSelectedToolConfig }];
  const { config, codes, findings } = convertNode("agentAgentflow_0", { agentModel: "chatOpenAI", agentTools });
  const [tool] = config.tools as { type: string; config: JsonObject }[];
  return { tool, codes, message: findings[0]?.message ?? "" };
}

describe("request tools", () => {
  it("keep address, name, headers and schema, as typed into a form", () => {
    const { tool, codes } = convert("requestsGet", {
      requestsGetUrl: "<p>https://api.example/users/:id?v={{ $vars.version }}</p>",
      requestsGetName: "Get User!",
      requestsGetDescription: "Reads one user",
      requestsGetHeaders: "{ 'X-Team': '{{ $flow.state.team }}', }",
      requestsGetQueryParamsSchema:
        "{ id: { type: 'string', in: 'path', required: true, example: 1 }, age: { type: 'date' }, odd: 1 }",
      requestsGetMaxOutputLength: "2000",
    });
    assert.deepEqual(codes, []);
    assert.deepEqual(tool, {
      type: "request-get",
      config: {
        url: "https://api.example/users/:id?v={{ $vars.version }}",
        name: "get_user",
        description: "Reads one user",
        headers: { "X-Team": "{{ $flow.state.team }}" },
        parameters: {
          id: { type: "string", in: "path", required: true },
          age: { type: "string" },
          odd: { type: "string" },
        },
        maxCharacters: 2000,
      },
    });
  });

  it("send a fixed body alone where there is no schema", () => {
    const url = { requestsPostUrl: "https://api.example/users" };
    const fixed = convert("requestsPost", { ...url, requestPostBody: '{"team": {{ $vars.team }}}' });
    assert.deepEqual(fixed.tool?.config, {
      url: url.requestsPostUrl,
      body: { team: "{{ $vars.team }}" },
      bodySchema: {},
    });
    assert.deepEqual(convert("requestsPost", url), {
      tool: { type: "request-post", config: { url: url.requestsPostUrl } },
      codes: ["warning tool-body-open"],
      message:
        'Node "agentAgentflow_0": Its tool requestsPost has neither a body nor a body schema, so the model writes the body as it sees fit. Add a schema.',
    });
  });

  it("let the fixed body count, and say so", () => {
    const { tool, codes, message } = convert("requestsPut", {
      requestsPutUrl: "https://api.example/users",
      requestPutBody: { role: "guest", team: "a" },
      requestsPutBodySchema: { role: { type: "string" }, name: { type: "string", required: true } },
    });
    assert.equal(tool?.type, "request-put");
    assert.deepEqual(tool?.config.bodySchema, { role: { type: "string" }, name: { type: "string", required: true } });
    assert.deepEqual(codes, ["warning tool-body-fixed"]);
    assert.match(message, /for: role\./);
  });

  it("read the short names of earlier versions first", () => {
    const values = {
      url: "https://new.example",
      requestsDeleteUrl: "https://old.example",
      name: "drop",
      queryParamsSchema: "{}",
    };
    assert.deepEqual(convert("requestsDelete", values).tool, {
      type: "request-delete",
      config: { url: "https://new.example", name: "drop", parameters: {} },
    });
  });

  it("are refused without an address, or with JSON that is none", () => {
    assert.deepEqual(convert("requestsGet").codes, ["error tool-address-missing"]);
    const url = { requestsGetUrl: "https://api.example" };
    for (const text of ["{", "[1]", "plain"]) {
      assert.deepEqual(
        convert("requestsGet", { ...url, requestsGetHeaders: text }).codes,
        ["error tool-json-invalid"],
        text,
      );
    }
  });
});

describe("names of tools", () => {
  it("are not spoken of where nobody changed them", () => {
    assert.deepEqual(convert("searXNG", { toolName: "searxng-search" }).codes, []);
    assert.deepEqual(convert("searXNG", { toolName: "find" }).codes, ["warning tool-settings-ignored"]);
    const codes = (toolName: string) => convert("codeInterpreterE2B", { toolName }).codes;
    assert.deepEqual(codes("code_interpreter"), ["warning tool-code-language"]);
    assert.deepEqual(codes("python"), ["warning tool-settings-ignored", "warning tool-code-language"]);
  });
});

describe("OpenAPI toolkits", () => {
  const file = "data:application/yaml;base64,b3BlbmFwaTogMy4wLjA=,filename:api.yaml";

  it("take the file under its old name, too", () => {
    assert.deepEqual(convert("openAPIToolkit", { yamlFile: file }).tool, {
      type: "openapi-toolkit",
      config: { openApiFile: file },
    });
    assert.deepEqual(
      convert("openAPIToolkit", { openApiFile: file, yamlFile: "x", openApiLink: "https://x.example" }).tool?.config,
      {
        openApiFile: file,
      },
    );
  });

  it("are silent about the choice of a file, which every form holds", () => {
    const settings = { inputType: "file", openApiFile: file, openApiLink: "" };
    assert.deepEqual(convert("openAPIToolkit", settings).codes, []);
  });

  it("take a link, and every setting", () => {
    const { tool, codes } = convert("openAPIToolkit", {
      inputType: "link",
      openApiLink: "https://api.example/openapi.json",
      openApiFile: file,
      selectedServer: "https://api.example/v2",
      selectedEndpoints: '["listUsers","getUser"]',
      returnDirect: true,
      removeNulls: "true",
      headers: '{"x-key": "1"}',
      customCode: "const fetch = require('node-fetch');\nreturn (await fetch($url, $options)).text();",
    });
    assert.deepEqual(codes, []);
    assert.deepEqual(tool?.config, {
      openApiLink: "https://api.example/openapi.json",
      server: "https://api.example/v2",
      operations: ["listUsers", "getUser"],
      returnDirect: true,
      headers: { "x-key": "1" },
      removeNulls: true,
      customCode: "const fetch = require('node-fetch');\nreturn (await fetch($url, $options)).text();",
    });
  });

  it("are refused without a file, or with headers that are no object", () => {
    assert.deepEqual(convert("openAPIToolkit", { yamlFile: "" }).codes, ["error tool-file-missing"]);
    assert.match(convert("openAPIToolkit", { openApiFile: "FILE-STORAGE::api.yaml" }).message, /Upload it again/);
    assert.deepEqual(convert("openAPIToolkit", { openApiFile: file, headers: "[]" }).codes, [
      "error tool-json-invalid",
    ]);
  });
});

describe("other tools", () => {
  it("have native counterparts", () => {
    const tools: [string, JsonObject, unknown][] = [
      ["calculator", {}, { type: "calculator", config: {} }],
      ["currentDateTime", {}, { type: "current-date-time", config: {} }],
      ["customTool", { selectedTool: "t-1" }, { type: "custom-tool", config: { toolId: "t-1" } }],
      [
        "ChatflowTool",
        { selectedChatflow: "f-1", name: "ask", description: "Asks" },
        { type: "agent", config: { agentId: "f-1", name: "ask", description: "Asks" } },
      ],
      [
        "agentAsTool",
        { selectedAgentflow: "f-2", returnDirect: true },
        { type: "agent", config: { agentId: "f-2", returnDirect: true } },
      ],
      [
        "tavilyAPI",
        { FLOWISE_CREDENTIAL_ID: "c", maxResults: "50" },
        { type: "web-search", config: { provider: "tavily", credential: "c", maxResults: 20 } },
      ],
      [
        "googleCustomSearch",
        { FLOWISE_CREDENTIAL_ID: "c" },
        { type: "web-search", config: { provider: "google", credential: "c" } },
      ],
      [
        "serpAPI",
        { FLOWISE_CREDENTIAL_ID: "c" },
        { type: "web-search", config: { provider: "serpapi", credential: "c" } },
      ],
      [
        "searchAPI",
        { FLOWISE_CREDENTIAL_ID: "c" },
        { type: "web-search", config: { provider: "searchapi", credential: "c" } },
      ],
      [
        "exaSearch",
        { FLOWISE_CREDENTIAL_ID: "c", numResults: "3" },
        { type: "web-search", config: { provider: "exa", credential: "c", maxResults: 3 } },
      ],
      [
        "arxiv",
        { arxivName: "papers", arxivDescription: "Finds papers", topKResults: "3", docContentCharsMax: "10000" },
        {
          type: "arxiv",
          config: { name: "papers", description: "Finds papers", maxResults: 3, maxCharacters: 10_000 },
        },
      ],
      [
        "searXNG",
        { apiBase: "http://searx:8080" },
        { type: "web-search", config: { provider: "searxng", baseUrl: "http://searx:8080" } },
      ],
      [
        "customMCP",
        {
          mcpServerConfig: "{ url: 'https://mcp.example/{{ $vars.path }}', headers: { 'x-key': '{{ $vars.key }}' } }",
          mcpActions: '["find"]',
        },
        {
          type: "mcp-server",
          config: {
            url: "https://mcp.example/{{ $vars.path }}",
            tools: ["find"],
            headers: { "x-key": "{{ $vars.key }}" },
          },
        },
      ],
    ];
    for (const [name, values, tool] of tools)
      assert.deepEqual(convert(name, values), { tool, codes: [], message: "" }, name);
  });

  it("that read pages read one at a time, and say so where they read on by themselves", () => {
    const site = convert("webScraperTool", { scrapeMode: "recursive", maxDepth: "2", maxPages: "10", timeoutS: "60" });
    assert.deepEqual(site.tool, { type: "web-page", config: { timeoutMs: 60_000 } });
    assert.deepEqual(site.codes, ["warning tool-one-page"]);
    const page = convert("webScraperTool", { maxPages: 1, description: "Reads our site" });
    assert.deepEqual(page, {
      tool: { type: "web-page", config: { description: "Reads our site" } },
      codes: [],
      message: "",
    });
    const browser = convert("webBrowser");
    assert.deepEqual(browser.tool, { type: "web-page", config: { name: "web-browser" } });
    assert.deepEqual(browser.codes, ["warning tool-page-whole"]);
  });

  it("that start a server of a service call the one that the operator set up", () => {
    const { tool, codes, message } = convert("slackMCP", { mcpActions: '["slack_post_message"]' });
    assert.deepEqual(tool, { type: "mcp-server", config: { server: "slack", tools: ["slack_post_message"] } });
    assert.deepEqual(codes, ["warning tool-server-named"]);
    assert.match(message, /sets it up in MCP_SERVERS.*https:\/\/mcp\.slack\.com\/mcp/);
  });

  it("that are servers of a service keep its address and the credential", () => {
    const github = (values: JsonObject) =>
      convert("githubMCP", { FLOWISE_CREDENTIAL_ID: "c", mcpActions: '["get_me"]', ...values });
    assert.deepEqual(github({}), {
      tool: {
        type: "mcp-server",
        config: { url: "https://api.githubcopilot.com/mcp/", tools: ["get_me"], credential: "c" },
      },
      codes: [],
      message: "",
    });
    const company = github({ githubEnterpriseUrl: "https://octocorp.ghe.com" });
    assert.equal(company.tool?.config.url, "https://copilot-api.octocorp.ghe.com/mcp");
    for (const url of ["https://ghe.com.evil.example", "https://evil.example/octocorp.ghe.com"]) {
      assert.deepEqual(github({ githubEnterpriseUrl: url }).codes, ["error tool-server-missing"], url);
    }
    const browserless = convert("browserlessMCP", { FLOWISE_CREDENTIAL_ID: "c", mcpActions: '["scrape"]' });
    assert.deepEqual(
      [browserless.tool?.config, browserless.codes],
      [{ url: "https://mcp.browserless.io/mcp", tools: ["scrape"], credential: "c" }, []],
    );
    const teradata = { mcpUrl: "https://td.example/mcp", bearerToken: "s3cret", mcpActions: '["query"]' };
    const { tool, codes, message } = convert("teradataMCP", { ...teradata, FLOWISE_CREDENTIAL_ID: "c" });
    assert.deepEqual(tool, {
      type: "mcp-server",
      config: { url: "https://td.example/mcp", tools: ["query"], credential: "c" },
    });
    assert.deepEqual(codes, ["warning tool-secret-left-out"]);
    assert.ok(!message.includes("s3cret"));
  });

  it("of a registered MCP server have the address and the credential that the import wrote beside its id", () => {
    const server = { mcpServerId: "s", serverUrl: "https://x.example/mcp", credential: "s", mcpActions: '["search"]' };
    assert.deepEqual(convert("customMcpServerTool", server), {
      tool: { type: "mcp-server", config: { url: "https://x.example/mcp", tools: ["search"], credential: "s" } },
      codes: [],
      message: "",
    });
    const { mcpServerId: _, ...unnamed } = server;
    assert.deepEqual(convert("customMcpServerTool", unnamed).codes, ["error tool-server-missing"]);
  });

  it("of MCP servers without a chosen action are left out", () => {
    for (const name of ["customMCP", "slackMCP", "customMcpServerTool", "browserlessMCP"]) {
      const url = "https://x.example";
      const values = { mcpServerConfig: { url }, mcpServerId: "s", serverUrl: url, mcpActions: "" };
      const { tool, codes, message } = convert(name, values);
      assert.equal(tool, undefined);
      assert.deepEqual(codes, ["warning tool-actions-missing"]);
      assert.match(message, /Choose those/);
    }
  });

  it("say what differs", () => {
    const different: [string, JsonObject, string][] = [
      ["arxiv", { loadFullContent: true }, "warning tool-abstracts-only"],
      ["codeInterpreterE2B", {}, "warning tool-code-language"],
      ["customTool", { selectedTool: "t", returnDirect: true }, "warning tool-return-direct"],
      ["ChatflowTool", { selectedChatflow: "f", baseURL: "https://x.example" }, "warning tool-settings-ignored"],
    ];
    for (const [name, values, code] of different) assert.deepEqual(convert(name, values).codes, [code], name);
  });

  it("that search say which of their settings have no effect, but not those that a form filled in", () => {
    const credential = { FLOWISE_CREDENTIAL_ID: "c" };
    const preset = { topic: "general", searchDepth: "basic", days: "7", includeAnswer: false, includeDomains: "" };
    assert.deepEqual(convert("tavilyAPI", { ...credential, ...preset }).codes, []);
    const { codes, message } = convert("tavilyAPI", { ...credential, ...preset, topic: "news", excludeDomains: "a.b" });
    assert.deepEqual(codes, ["warning tool-settings-ignored"]);
    assert.match(message, /tavilyAPI are not used here: topic, excludeDomains\./);
    assert.match(convert("exaSearch", { ...credential, category: "news" }).message, /: category\./);
    assert.match(convert("searXNG", { apiBase: "http://s.example", headers: { a: "b" } }).message, /: headers\./);
  });

  it("are refused with what to do when nothing can stand for them", () => {
    const refused: [string, JsonObject, string, RegExp][] = [
      ["", {}, "tool-missing", /Choose it, or remove it/],
      ["wolframAlpha", {}, "tool-unsupported", /HTTP API/],
      ["serpAPI", {}, "tool-credential-missing", /Choose one with the key/],
      ["googleCustomSearch", {}, "tool-credential-missing", /Choose one with the key/],
      ["githubMCP", { mcpActions: '["get"]' }, "tool-credential-missing", /personal access token of GitHub/],
      [
        "githubMCP",
        { mcpActions: '["get"]', githubEnterpriseUrl: "https://git.example.com" },
        "tool-server-missing",
        /Let the operator run GitHub's own/,
      ],
      ["teradataMCP", { mcpActions: '["get"]' }, "tool-server-missing", /Enter one/],
      ["browserlessMCP", { mcpActions: '["a"]' }, "tool-credential-missing", /API token of Browserless/],
      ["supergatewayMCP", { arguments: "--stdio x" }, "tool-unsupported", /MCP_SERVERS/],
      ["customMcpServerTool", { mcpServerId: "s", mcpActions: '["a"]' }, "tool-server-missing", /with its address/],
      ["unknownMCP", {}, "tool-unsupported", /Choose MCP server/],
      ["constructor", {}, "tool-unsupported", /constructor/],
      ["customTool", {}, "tool-missing", /Choose one/],
      ["agentAsTool", {}, "tool-missing", /Choose one/],
      ["serper", {}, "tool-credential-missing", /Choose one with the key/],
      [
        "customMCP",
        { mcpServerConfig: { command: "npx" }, mcpActions: ["a"] },
        "tool-server-missing",
        /no flow may start one/,
      ],
    ];
    for (const [name, values, code, advice] of refused) {
      const { codes, message } = convert(name, values);
      assert.deepEqual(codes, [`error ${code}`], name);
      assert.match(message, advice);
    }
  });
});
