import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callTool, sendJson, toolNamed } from "./testing/bench.ts";
import { callEveryAction, startSite } from "./testing/vendor.ts";

const account = { username: "ana@example.org", accessToken: "tk-1" };
const paragraph = (...lines: string[]) => ({
  type: "paragraph",
  content: lines.flatMap((text, at) => [...(at === 0 ? [] : [{ type: "hardBreak" }]), { type: "text", text }]),
});

describe("Jira", () => {
  it("signs with the address and token of an account, or with a bearer token", async (t) => {
    const site = await startSite(t, account);
    const [tool] = await site.build("jira", { actions: ["getIssue"] });
    assert.ok(tool);
    await callTool(tool, { issueKey: "OPS-1" }, site.context());
    const basic = `Basic ${Buffer.from("ana@example.org:tk-1").toString("base64")}`;
    assert.equal(site.calls()[0]?.headers.authorization, basic);
    const other = await startSite(t, { bearerToken: "tk-2" });
    const [same] = await other.build("jira", { actions: ["getIssue"] });
    assert.ok(same);
    await callTool(same, { issueKey: "OPS-1" }, other.context());
    assert.equal(other.calls()[0]?.headers.authorization, "Bearer tk-2");
  });

  it("cannot be built without a credential, or without the address of a site", async (t) => {
    const site = await startSite(t, { username: "ana@example.org" });
    const actions = ["getIssue"];
    await assert.rejects(site.build("jira", { actions }), {
      code: "tool-invalid",
      message: /it needs a Jira credential/,
    });
    const signed = await startSite(t, account);
    for (const baseUrl of ["", "site", "ftp://site.example"]) {
      const built = signed.build("jira", { actions, baseUrl });
      await assert.rejects(built, { code: "tool-invalid", message: /its address is missing or is no URL/ });
    }
  });

  it("creates issues and comments with paragraphs", async (t) => {
    const site = await startSite(t, account);
    const tools = await site.build("jira", { actions: ["createIssue", "createComment", "updateIssue"] });
    const place = { projectKey: "OPS", issueType: "Bug" };
    const issue = { issueSummary: "It stops", issueDescription: "First\nsecond\n\n\nThird", issuePriority: "High" };
    await callTool(toolNamed(tools, "jira_create_issue"), { ...place, ...issue }, site.context());
    const comment = { commentIssueKey: "OPS-1", commentText: "Done" };
    await callTool(toolNamed(tools, "jira_create_comment"), comment, site.context());
    const change = { issueKey: "OPS-1", assigneeAccountId: "a1" };
    await callTool(toolNamed(tools, "jira_update_issue"), change, site.context());
    assert.deepEqual(
      site.calls().map(({ method, url, body }) => [`${method} ${url}`, JSON.parse(body)]),
      [
        [
          "POST /rest/api/3/issue",
          {
            fields: {
              project: { key: "OPS" },
              issuetype: { name: "Bug" },
              summary: "It stops",
              description: { type: "doc", version: 1, content: [paragraph("First", "second"), paragraph("Third")] },
              priority: { name: "High" },
            },
          },
        ],
        ["POST /rest/api/3/issue/OPS-1/comment", { body: { type: "doc", version: 1, content: [paragraph("Done")] } }],
        ["PUT /rest/api/3/issue/OPS-1", { fields: { assignee: { id: "a1" } } }],
      ],
    );
  });

  it("reads documents as texts, without links to itself", async (t) => {
    const list = { type: "bulletList", content: [{ type: "listItem", content: [paragraph("One")] }] };
    const mention = { type: "paragraph", content: [{ type: "mention", attrs: { id: "1", text: "@Ana" } }] };
    const description = { type: "doc", version: 1, content: [paragraph("First", "second"), list, mention] };
    const site = await startSite(t, account, (_request, response) =>
      sendJson(response, 200, {
        key: "OPS-1",
        self: "https://site.example/rest/api/3/issue/1",
        fields: { description, duedate: null, assignee: { displayName: "Bo", avatarUrls: { "16x16": "https://a" } } },
      }),
    );
    const [tool] = await site.build("jira", { actions: ["getIssue"] });
    assert.ok(tool);
    const { content } = await callTool(tool, { issueKey: "OPS-1" }, site.context());
    assert.deepEqual(JSON.parse(content), {
      key: "OPS-1",
      fields: { description: "First\nsecond\nOne\n\n@Ana", assignee: { displayName: "Bo" } },
    });
  });

  it("searches a project, with the query in brackets", async (t) => {
    const site = await startSite(t, account);
    const [tool] = await site.build("jira", { actions: ["listIssues"] });
    assert.ok(tool);
    const searches = [
      {},
      { projectKey: 'A"B' },
      { projectKey: "OPS", jqlQuery: "status = Done OR priority = High order by created" },
      { projectKey: "OPS", jqlQuery: "project = WEB" },
      { projectKey: "OPS", jqlQuery: "ORDER BY created" },
    ];
    for (const search of searches) await callTool(tool, search, site.context());
    assert.deepEqual(
      site.calls().map(({ url }) => new URL(url, site.base).searchParams.get("jql")),
      [
        "updated >= -30d ORDER BY updated DESC",
        'project = "A\\"B" ORDER BY updated DESC',
        'project = "OPS" AND (status = Done OR priority = High) order by created',
        "project = WEB",
        'project = "OPS" ORDER BY created',
      ],
    );
  });

  it("is not asked again with a credential that was refused", async (t) => {
    const site = await startSite(t, account, (_request, response) => response.writeHead(401).end("Unauthorized"));
    const [tool] = await site.build("jira", { actions: ["deleteIssue"] });
    assert.ok(tool);
    const { content, isError } = await callTool(tool, { issueKey: "OPS-1" }, site.context());
    assert.equal(isError, true);
    assert.match(content, /401.*\nThe credential is not accepted/);
    assert.equal(site.calls().length, 1);
    assert.match((await callTool(tool, { issueKey: ".." }, site.context())).content, /is not an id/);
    assert.equal(site.calls().length, 1);
  });

  it("makes the request of every action", async (t) => {
    const site = await startSite(t, account);
    const values = { issueKey: "OPS-1", commentIssueKey: "OPS-1", commentId: "7" };
    assert.deepEqual(await callEveryAction(site, "jira", values), [
      "GET /rest/api/3/search/jql",
      "POST /rest/api/3/issue",
      "GET /rest/api/3/issue/OPS-1",
      "PUT /rest/api/3/issue/OPS-1",
      "DELETE /rest/api/3/issue/OPS-1",
      "PUT /rest/api/3/issue/OPS-1/assignee",
      "POST /rest/api/3/issue/OPS-1/transitions",
      "GET /rest/api/3/issue/OPS-1/comment",
      "POST /rest/api/3/issue/OPS-1/comment",
      "GET /rest/api/3/issue/OPS-1/comment/7",
      "PUT /rest/api/3/issue/OPS-1/comment/7",
      "DELETE /rest/api/3/issue/OPS-1/comment/7",
      "GET /rest/api/3/user/search",
      "GET /rest/api/3/user",
      "POST /rest/api/3/user",
      "DELETE /rest/api/3/user",
    ]);
  });
});
