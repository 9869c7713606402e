import assert from "node:assert/strict";
import { test } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

type Answer = { isAllowed?: boolean; isFixed?: boolean; code?: string; message?: string };

/** The status of a visitor's request to a public agent. */
async function visit(platform: TestPlatform, agentId: string): Promise<number> {
  const response = await platform.fetch(new Request(`http://platform/api/v1/public-chatbotConfig/${agentId}`));
  await response.body?.cancel();
  return response.status;
}

const choose = async (platform: TestPlatform, isAllowed: unknown) =>
  (await (await platform.send("PUT", "/public-access", { isAllowed })).json()) as Answer;

await onTestDatabase((databases) => {
  test("an account lets visitors in and out, from the next request on, where the environment says nothing", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const [open, closed] = [
      await agentWith(platform, llmFlow(), { isPublic: true }),
      await agentWith(platform, llmFlow()),
    ];
    assert.deepEqual(await platform.json("GET", "/public-access"), { isAllowed: false, isFixed: false });
    assert.equal(await visit(platform, open), 401);
    assert.deepEqual(await choose(platform, true), { isAllowed: true, isFixed: false });
    assert.deepEqual([await visit(platform, open), await visit(platform, closed)], [200, 401]);
    assert.deepEqual(await choose(platform, false), { isAllowed: false, isFixed: false });
    assert.equal(await visit(platform, open), 401);
    assert.equal((await choose(platform, "yes")).code, "body-invalid");
  });

  test("the environment decides where it is set, and says so", async (t) => {
    for (const value of [true, false]) {
      const platform = await openTestPlatform(t, databases, { ALLOW_PUBLIC_FLOWS: String(value) });
      const agent = await agentWith(platform, llmFlow(), { isPublic: true });
      assert.deepEqual(await platform.json("GET", "/public-access"), { isAllowed: value, isFixed: true });
      const { code, message } = await choose(platform, !value);
      assert.equal(code, "conflict");
      assert.match(message ?? "", new RegExp(`ALLOW_PUBLIC_FLOWS=${value} decides`));
      assert.equal(await visit(platform, agent), value ? 200 : 401);
    }
  });

  test("an API key cannot open the server, whatever else it may do", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", {
      keyName: "k",
      permissions: ["*"],
    });
    const response = await platform.fetch(
      new Request("http://platform/api/v1/public-access", {
        method: "PUT",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ isAllowed: true }),
      }),
    );
    assert.equal(response.status, 403);
    assert.match(((await response.json()) as Answer).message ?? "", /settings:write/);
    assert.deepEqual(await platform.json("GET", "/public-access"), { isAllowed: false, isFixed: false });
  });
});
