// @tier long: it starts the previous release.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it, type TestContext } from "node:test";
import type { Finding } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { runCli } from "../cli/testing/run-cli.ts";
import { createUntouchedStorage, unpackPreviousRelease } from "../testing/previous-release.ts";
import { openProcessBench } from "../testing/process-bench.ts";
import { flowOf } from "../testing/test-platform.ts";

/** A service that remembers the secrets that it was sent. */
async function startService(t: TestContext) {
  const secrets: string[] = [];
  const server = createServer((request, response) => {
    secrets.push(request.headers.authorization ?? "");
    response.setHeader("content-type", "application/json");
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}/refunds`, secrets };
}

await forEachDatabase((databases) => {
  const release = unpackPreviousRelease();
  if ("why" in release) {
    it("destinations of credentials survive an upgrade", { skip: release.why }, () => undefined);
    return;
  }

  it(`what ${release.version} let credentials go to stays allowed, is listed, and nothing joins it by itself`, async (t) => {
    const bench = await openProcessBench(t, { createTestStorage: () => createUntouchedStorage(t, databases.name) });
    const [known, drafted, other] = [await startService(t), await startService(t), await startService(t)];
    const env = { EGRESS_ALLOW: [known, drafted, other].map(({ host }) => host).join(",") };
    const before = await bench.start(env, release.folder);
    const credential = await before.call<{ id: string }>("POST", "/credentials", {
      name: "Refunds live",
      credentialName: "httpBearerToken",
      plainDataObj: { token: "live-token" },
    });
    const calls = ({ url }: { url: string }) => flowOf("http", "Refund", { url, credential: credential.id });
    const agent = await before.call<{ id: string }>("POST", "/chatflows", { name: "Shop", flowData: calls(known) });
    await before.call("POST", `/prediction/${agent.id}`, { question: "Refund it" });
    assert.deepEqual(known.secrets, ["Bearer live-token"]);
    await before.kill("SIGTERM");

    const after = await bench.start(env);
    await after.call("POST", `/prediction/${agent.id}`, { question: "Refund it" });
    assert.deepEqual(known.secrets, ["Bearer live-token", "Bearer live-token"]);
    await after.call("PUT", `/chatflows/${agent.id}/draft`, { flowData: calls(drafted), pins: {} });
    const drafts = await after.call<Finding[]>("GET", `/chatflows/${agent.id}/draft/findings`);
    assert.ok(
      drafts.some(
        ({ code, bind }) => code === "credential-destination-unconfirmed" && bind?.host.includes(drafted.host),
      ),
      JSON.stringify(drafts),
    );
    await after.call("PUT", `/chatflows/${agent.id}`, { flowData: calls(other) });
    const refused = await after.send("POST", `/prediction/${agent.id}`, { question: "Refund it" });
    assert.equal(refused.status, 500);
    const why = await refused.text();
    assert.ok(why.includes(other.host) && why.includes(`/credentials/${credential.id}/destinations`), why);
    assert.deepEqual([drafted.secrets, other.secrets], [[], []]);
    await after.kill("SIGTERM");

    const { stdout } = await runCli("doctor", {
      env: { ...process.env, ...bench.place, ...env } as Record<string, string>,
    });
    const line = stdout.split("\n").find((each) => each.includes(`The credential "Refunds live" (${credential.id})`));
    assert.match(
      line ?? stdout,
      new RegExp(`may be sent to .*${known.host}.*since before destinations had to be allowed`),
    );
  });
});
