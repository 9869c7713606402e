import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NewApiKey, WaitingExecution } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

type Page = { data: WaitingExecution[]; total: number };
type Answer = { executionId: string };

const asking = (question = "May I?") => flowOf("human-input", "Ask", { question });

/** Two branches that each ask, and a join. */
const twoQuestions = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start", type: "start" },
    { id: "left", type: "human-input", config: { question: "Left?" } },
    { id: "right", type: "human-input", config: { question: "Right?", answer: "text" } },
    { id: "end", type: "direct-reply", config: { message: "Done" } },
  ],
  edges: [
    { id: "a", source: "start", target: "left" },
    { id: "b", source: "start", target: "right" },
    { id: "c", source: "left", sourcePort: "proceed", target: "end" },
    { id: "d", source: "right", sourcePort: "proceed", target: "end" },
  ],
});

const waiting = (platform: TestPlatform, query = "") => platform.json<Page>("GET", `/executions/waiting${query}`);
const ask = async (platform: TestPlatform, agentId: string, question: string) =>
  (await platform.json<Answer>("POST", `/prediction/${agentId}`, { question })).executionId;
const answerWith = (platform: TestPlatform, id: string, body: object) =>
  platform.send("POST", `/executions/${id}/answer`, body);
const textsOf = ({ data }: Page) => data.map(({ questions }) => questions.map(({ text }) => text).join(" and "));

await onTestDatabase((databases) => {
  describe("executions that wait for a human", () => {
    it("are listed with all that they ask, the last to ask first, and no others", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const long = `Shall I? ${"word ".repeat(300)}`;
      const first = await agentWith(platform, asking(long), { name: "Asker" });
      const second = await agentWith(platform, twoQuestions);
      const quotes = await agentWith(platform, flowOf("direct-reply", "Reply", { message: '","action":{"id":"x"}' }));
      const pausing = await agentWith(platform, flowOf("wait", "Wait", { amount: "2", unit: "hours" }));
      const id = await ask(platform, first, 'one, "action":{"id":1},"action":{');
      await ask(platform, second, "two");
      await ask(platform, quotes, "three");
      await platform.json("POST", `/prediction/${pausing}`, { question: '","action":{"id":"x"}' });

      const page = await waiting(platform);
      assert.equal(page.total, 2);
      assert.deepEqual(textsOf(page), ["Left? and Right?", long]);
      const [both, one] = page.data;
      assert.deepEqual(
        both?.questions.map(({ action }) => action.mapping.approve),
        ["Proceed", "Answer"],
      );
      assert.deepEqual([one?.id, one?.agentflow, one?.startedBy], [id, { id: first, name: "Asker" }, "account"]);
      assert.match(one?.question ?? "", /^one/);
      assert.ok(Date.parse(one?.questions[0]?.askedDate ?? "") >= Date.parse(one?.createdDate ?? ""));
      assert.deepEqual(await waiting(platform, "?limit=0"), { data: [], total: 2 });
      const last = await waiting(platform, "?page=2&limit=1");
      assert.deepEqual([textsOf(last), last.total], [[long], 2]);
      assert.deepEqual((await waiting(platform, "?page=3&limit=1")).data, []);
      for (const query of ["limit=51", "limit=-1", "limit=x", "page=0"]) {
        assert.equal((await platform.send("GET", `/executions/waiting?${query}`)).status, 400, query);
      }
    });

    it("leave the list with their answer, keep what is still open, and take each answer once", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const agentId = await agentWith(platform, twoQuestions);
      const id = await ask(platform, agentId, "Go");
      const [left, right] = (await waiting(platform)).data[0]?.questions ?? [];
      assert.ok(left && right);
      const answerLeft = { type: "proceed", waitId: left.action.id };
      assert.equal((await answerWith(platform, id, answerLeft)).status, 200);
      await platform.until(async () => (textsOf(await waiting(platform)).join() === "Right?" ? true : undefined));
      assert.equal((await answerWith(platform, id, answerLeft)).status, 409, "it was answered meanwhile");
      assert.equal((await answerWith(platform, id, { type: "perhaps", waitId: right.action.id })).status, 422);
      assert.equal((await waiting(platform, "?limit=0")).total, 1);
      const answerRight = { type: "proceed", feedback: "Yes", waitId: right.action.id };
      const twice = await Promise.all([answerWith(platform, id, answerRight), answerWith(platform, id, answerRight)]);
      assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 409]);
      assert.deepEqual(await waiting(platform), { data: [], total: 0 });

      const cancelled = await ask(platform, agentId, "Again");
      await platform.send("POST", `/executions/${cancelled}/cancel`);
      assert.equal((await waiting(platform)).total, 0);
      await ask(platform, agentId, "Once more");
      await platform.send("DELETE", `/chatflows/${agentId}`);
      assert.equal((await waiting(platform)).total, 0, "the questions of a deleted agent are nobody's");
    });

    it("are shown to those who may answer them", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const open = await agentWith(platform, asking("Open?"));
      const other = await agentWith(platform, asking("Other?"));
      const key = (body: object) => platform.json<NewApiKey>("POST", "/apikey", { keyName: "Key", ...body });
      const as = async ({ apiKey }: NewApiKey, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${apiKey}` };
        const response = await platform.send(body ? "POST" : "GET", path, body, headers);
        return { status: response.status, body: (await response.json()) as Page & Answer };
      };
      const reading = ["executions:read", "executions:write", "predictions:run"];
      const owner = await key({ permissions: reading });
      const { executionId } = (await as(owner, `/prediction/${open}`, { question: "Mine" })).body;
      await ask(platform, other, "The operator's");
      const seenBy = async (holder: NewApiKey) => {
        const { body } = await as(holder, "/executions/waiting");
        return [textsOf(body), body.total];
      };
      assert.deepEqual(await seenBy(owner), [["Open?"], 1]);
      assert.deepEqual(await seenBy(await key({ permissions: reading })), [[], 0]);
      assert.deepEqual(await seenBy(await key({ permissions: ["*"] })), [[], 0], "* does not open the chats of others");
      const approver = await key({ permissions: [...reading, "chats:write"] });
      assert.deepEqual(await seenBy(approver), [["Other?", "Open?"], 2]);
      const limited = await key({ permissions: [...reading, "chats:write"], agents: [other] });
      assert.deepEqual(await seenBy(limited), [["Other?"], 1]);
      assert.equal((await as(limited, `/executions/${executionId}/answer`, { type: "proceed" })).status, 404);
      assert.equal((await as(approver, `/executions/${executionId}/answer`, { type: "proceed" })).status, 200);
      const unprivileged = await key({ permissions: ["predictions:run", "chats:write"] });
      assert.equal((await as(unprivileged, "/executions/waiting")).status, 403);
      const anonymous = await platform.fetch(new Request("http://platform/api/v1/executions/waiting"));
      assert.equal(anonymous.status, 401);
      const [row] = (await waiting(platform)).data;
      assert.equal(row?.startedBy, "account");
    });
  });
});
