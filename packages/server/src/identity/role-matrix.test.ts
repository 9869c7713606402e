import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import type { Route } from "@weft/http";
import { isPermission, type Permission, permissions } from "@weft/http/identity";
import { type NewAccountLink, type Role, roles, type Session } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { say, toFlowData } from "../testing/flow-table/flow-case.ts";
import { agentWith, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

/** The matrix that people read decides what is right. */
async function readMatrix(): Promise<ReadonlyMap<string, ReadonlySet<Role>>> {
  const text = await readFile(new URL("../../../../docs/teams.md", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => /^\| `[a-z-]+:[a-z]+` \|/.test(line));
  return new Map(
    lines.map((line) => {
      const [, permission = "", ...cells] = line.split("|").map((cell) => cell.trim());
      return [permission.replaceAll("`", ""), new Set(roles.filter((_, index) => cells[index] === "✓"))];
    }),
  );
}

const flow = toFlowData({ start: {}, nodes: { end: say("Hello.") }, edges: "start>end" });
const unknown = "01890000-0000-7000-8000-000000000000";

/** The token of someone who has just been invited. */
async function join(platform: TestPlatform, role: Role): Promise<string> {
  const { token } = await platform.json<NewAccountLink>("POST", "/invitations", { email: `${role}@example.com`, role });
  const use = { token, password: "a good long password" };
  return (await platform.json<Session>("POST", "/invitations/accept", use)).token;
}

function permissionOf({ permission }: Route): Permission | undefined {
  const name = typeof permission === "string" ? permission : permission.permission;
  return isPermission(name) ? name : undefined;
}

/** Sends an operation with an unknown id and nothing in its body. */
async function attempt(platform: TestPlatform, { method, path }: Route, bearer: string) {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const hasBody = method !== "GET" && method !== "DELETE";
  const url = `http://platform${path.replaceAll(/\{[^}]+\}/g, unknown)}`;
  const response = await platform.fetch(new Request(url, { method, headers, ...(hasBody && { body: "{}" }) }));
  return { status: response.status, text: await response.text() };
}

await onTestDatabase((databases) => {
  describe("the matrix of roles", () => {
    it("names every permission", async () => {
      assert.deepEqual([...(await readMatrix()).keys()], permissions);
    });

    for (const role of roles) {
      it(`holds for ${role} in every operation of the API`, async (t) => {
        const matrix = await readMatrix();
        const platform = await openTestPlatform(t, databases);
        const bearer = await join(platform, role);
        const wrong: string[] = [];
        const tried = platform.routes.filter((route) => permissionOf(route) !== undefined);
        for (const route of tried) {
          const permission = permissionOf(route) as Permission;
          const { status, text } = await attempt(platform, route, bearer);
          const isRefused = status === 403 && text.includes(`requires the permission ${permission}`);
          const isExpected =
            !text.includes("urn:weft:error:unauthenticated") && isRefused !== matrix.get(permission)?.has(role);
          if (!isExpected) wrong.push(`${route.method} ${route.path} (${permission}): ${status} ${text.slice(0, 200)}`);
        }
        assert.deepEqual(wrong, []);
        assert.ok(tried.length > 100, `${tried.length} operations`);
        t.diagnostic(`${tried.length} operations`);
      });
    }
  });

  describe("chats of others", () => {
    it("are read by analysts, answered by operators, and unknown to viewers", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const agent = await agentWith(platform, flow, { name: "Greeter", deployed: true });
      const asked = { question: "Good morning", chatId: "of-the-operator" };
      await platform.json("POST", `/prediction/${agent}`, asked);
      const seen = async (role: Role) => {
        const authorization = `Bearer ${await join(platform, role)}`;
        const get = async (path: string) => (await platform.send("GET", path, undefined, { authorization })).json();
        const [run] = ((await get("/executions")) as { data: { id: string }[] }).data;
        const cancel = `/executions/${run?.id ?? unknown}/cancel`;
        return {
          messages: ((await get(`/chatmessage/${agent}`)) as unknown[]).length,
          runs: run === undefined ? 0 : 1,
          cancel: (await platform.send("POST", cancel, {}, { authorization })).status,
          goOn: (await platform.send("POST", `/prediction/${agent}`, asked, { authorization })).status,
        };
      };
      assert.deepEqual(await seen("operator"), { messages: 2, runs: 1, cancel: 409, goOn: 200 });
      assert.deepEqual(await seen("analyst"), { messages: 4, runs: 1, cancel: 403, goOn: 200 });
      assert.deepEqual(await seen("viewer"), { messages: 0, runs: 0, cancel: 403, goOn: 200 });
    });
  });
});
