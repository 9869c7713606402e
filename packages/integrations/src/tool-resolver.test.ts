import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ToolBuildContext } from "@weft/engine/ports/tool";
import { z } from "zod";
import { defineIntegration, type IntegrationDeps } from "./define-integration.ts";
import { startBench } from "./testing/bench.ts";
import { createToolResolver } from "./tool-resolver.ts";

describe("tools that are built once", () => {
  test("the same settings give the same tools, equal ones their own", async (t) => {
    const { build } = await startBench(t);
    const settings = { url: "https://api.example.com/events" };
    const [first] = await build("request-get", settings);
    const [second] = await build("request-get", settings);
    const [other] = await build("request-get", { ...settings });
    assert.equal(second, first);
    assert.notEqual(other, first);
  });

  test("settings of another type give that type's tools", async (t) => {
    const { build } = await startBench(t);
    const settings = { url: "https://api.example.com/events" };
    const names = [];
    for (const type of ["request-get", "request-delete", "request-get"])
      names.push((await build(type, settings))[0]?.name);
    assert.deepEqual(names, ["requests_get", "requests_delete", "requests_get"]);
  });

  test("a text that renders differently builds them again, and is rendered once for each run", async (t) => {
    const { build, base, context, received } = await startBench(t);
    const settings = { url: `${base}/{{ team }}`, headers: { "x-user": "{{ user }}", "x-fixed": "1" } };
    const rendered: string[] = [];
    const buildFor = (team: string, user: string) => {
      const render = (text: string) => {
        rendered.push(text);
        return text.replace("{{ team }}", team).replace("{{ user }}", user);
      };
      return build("request-get", settings, { render });
    };
    const [blue] = await buildFor("blue", "Ada");
    rendered.splice(0);
    assert.equal((await buildFor("blue", "Ada"))[0], blue);
    assert.deepEqual(rendered, [`${base}/{{ team }}`, "{{ user }}"]);
    rendered.splice(0);
    for (const tools of [await buildFor("blue", "Bob"), await buildFor("red", "Bob")]) {
      await tools[0]?.call({}, context());
    }
    assert.deepEqual(
      received.map(({ url, headers }) => [url, headers["x-user"], headers["x-fixed"]]),
      [
        ["/blue", "Bob", "1"],
        ["/red", "Bob", "1"],
      ],
    );
    const templates = rendered.filter((text) => text.includes("{{"));
    assert.deepEqual(templates, [`${base}/{{ team }}`, "{{ user }}", `${base}/{{ team }}`, "{{ user }}"]);
  });

  test("a credential is read for each run, and a changed one is used", async (t) => {
    const { build, base, context, received } = await startBench(t);
    const settings = { url: base, credential: "one" };
    let token = "old";
    const readCredential = async () => ({ token });
    const [first] = await build("request-get", settings, { readCredential });
    assert.equal((await build("request-get", settings, { readCredential }))[0], first);
    token = "new";
    const [changed] = await build("request-get", settings, { readCredential });
    await changed?.call({}, context());
    assert.equal(received[0]?.headers.authorization, "Bearer new");
    const gone = { readCredential: () => Promise.reject(new Error("It was deleted.")) };
    await assert.rejects(build("request-get", settings, gone), /deleted/);
  });

  test("an integration that keeps a service of one run fails, unless it says that it builds for each run", async () => {
    const define = (isBuiltForEachRun: boolean) =>
      defineIntegration({
        type: "careless",
        title: "Careless",
        summary: "Keeps what belongs to the run that it is built in.",
        group: "built-in",
        config: z.object({}),
        isBuiltForEachRun: () => isBuiltForEachRun,
        build: (_, { http }) => [
          {
            name: "careless",
            description: "",
            parameters: { type: "object" },
            kind: "read",
            effect: "read",
            call: async () => ({ content: String(http) }),
          },
        ],
      });
    const deps = { commandServers: { names: [] } } as unknown as IntegrationDeps;
    const build = (isBuiltForEachRun: boolean) => {
      const resolver = createToolResolver({ careless: define(isBuiltForEachRun) }, deps);
      return resolver.resolve({ type: "careless", config: {} }, {} as ToolBuildContext);
    };
    await assert.rejects(build(false), /"careless" reads http .* isBuiltForEachRun/);
    assert.equal((await build(true)).length, 1);
  });

  test("stored tools are looked up for each run", async (t) => {
    const { build, storedTools } = await startBench(t);
    const settings = {};
    assert.deepEqual(await build("custom-tools", settings), []);
    storedTools.set("one", { name: "one", description: "Does it.", schema: null, func: "return 1" });
    assert.equal((await build("custom-tools", settings)).length, 1);
  });
});
