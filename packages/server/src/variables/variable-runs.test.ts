import assert from "node:assert/strict";
import { test } from "node:test";
import type { Variable } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

type Answer = { text: string; metadata?: { warnings?: { message: string }[] } };

const replyFlow = (text: string) => flowOf("direct-reply", "Reply", { message: text });

async function ask(platform: TestPlatform, agentId: string, more: object = {}): Promise<Answer> {
  return platform.json<Answer>("POST", `/prediction/${agentId}`, { question: "Hi", ...more });
}

await onTestDatabase((databases) => {
  test("flows read variables by their types, as they are when the run begins", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const id = await agentWith(
      platform,
      replyFlow("{{ $vars.city }}|{{ $vars.count }}|{{ $vars.on }}|{{ $vars.data.list[1] }}|{{ $vars.none }}|"),
    );
    const make = (name: string, type: string, value: string | null) =>
      platform.json<Variable>("POST", "/variables", { name, type, value });
    const city = await make("city", "static", "Lisbon");
    await make("count", "number", "1.50");
    await make("on", "boolean", "true");
    await make("data", "json", '{"list":[1,{"a":2}]}');
    await make("none", "string", null);
    assert.equal((await ask(platform, id)).text, 'Lisbon|1.5|true|{"a":2}||');
    await platform.json("PUT", `/variables/${city.id}`, { value: "Porto" });
    assert.match((await ask(platform, id)).text, /^Porto\|/);
    const overridden = await ask(platform, id, { overrideConfig: { vars: { city: "Faro", count: [2] } } });
    assert.match(overridden.text, /^Faro\|\[2\]\|true/);
    await platform.json("DELETE", `/variables/${city.id}`);
    const { text, metadata } = await ask(platform, id);
    assert.match(text, /^\|1.5/);
    assert.match(JSON.stringify(metadata?.warnings), /\$vars\.city.* has no value/);
  });

  test("of several variables with one name the one that was updated last wins", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const id = await agentWith(platform, replyFlow("{{ $vars.twin }}"));
    const older = await platform.json<Variable>("POST", "/variables", { name: "twin", value: "older" });
    await platform.json("POST", "/variables", { name: "twin", value: "newer" });
    assert.equal((await ask(platform, id)).text, "newer");
    await platform.json("PUT", `/variables/${older.id}`, { value: "changed" });
    assert.equal((await ask(platform, id)).text, "changed");
  });

  test("a name that objects know is a variable like any other", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const id = await agentWith(platform, replyFlow("{{ $vars.constructor }}{{ $vars.__proto__ }}{{ $vars.polluted }}"));
    assert.equal((await ask(platform, id)).text, "");
    await platform.json("POST", "/variables", { name: "constructor", value: "a" });
    await platform.json("POST", "/variables", { name: "__proto__", type: "json", value: '{"polluted":"b"}' });
    assert.equal((await ask(platform, id)).text, 'a{"polluted":"b"}');
  });

  test("runtime variables read what the operator listed, and nothing shows it but the flow", async (t) => {
    const secret = "value-of-the-environment-81f2";
    const platform = await openTestPlatform(t, databases, {
      RUNTIME_VARIABLES: "LISTED, UNSET",
      LISTED: secret,
      HIDDEN: "not listed",
    });
    for (const name of ["LISTED", "UNSET", "HIDDEN"]) {
      await platform.json("POST", "/variables", { name, type: "runtime", value: null });
    }
    const listed = await platform.json<Variable[]>("GET", "/variables");
    assert.ok(listed.every(({ value }) => value === null));
    const silent = await agentWith(platform, replyFlow("Nothing of it."));
    const { executionId } = await platform.json<{ executionId: string }>("POST", `/prediction/${silent}`, {
      question: "Hi",
    });
    assert.ok(!JSON.stringify(await platform.json("GET", `/executions/${executionId}`)).includes(secret));
    const loud = await agentWith(platform, replyFlow("{{ $vars.LISTED }}|{{ $vars.UNSET }}|{{ $vars.HIDDEN }}"));
    assert.equal((await ask(platform, loud)).text, `${secret}||`);
  });
});
