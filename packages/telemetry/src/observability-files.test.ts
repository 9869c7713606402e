import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openTestStorage } from "../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../../server/src/testing/scripted-model.ts";
import { agentWith, llmFlow } from "../../server/src/testing/test-platform.ts";
import { openCollector } from "./testing/collector.ts";
import { type Scrape, scrape } from "./testing/scrape.ts";

const folder = fileURLToPath(new URL("../../../deploy/observability", import.meta.url));
const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");
const databases = { createTestStorage: (t: Parameters<typeof openTestStorage>[1]) => openTestStorage("sqlite", t) };

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const required = process.env.PROMTOOL_REQUIRED === "1";
const skip = hasPromtool || required ? false : "promtool is missing: install Debian's package prometheus";

function promtool(args: string[], input = ""): void {
  const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: folder, input, encoding: "utf8" });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

/** A scrape of a platform that has done some of everything. */
async function busyScrape(t: Parameters<typeof openCollector>[0]): Promise<Scrape> {
  const collector = await openCollector(t);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const script = [{ text: "One two." }, { status: 401, body: {} }] as never;
  const platform = await openScriptedPlatform(t, databases as never, script, { env });
  const agent = await agentWith(platform, llmFlow());
  await (await platform.send("POST", `/prediction/${agent}`, { question: "Count.", streaming: true })).text();
  await platform.ask(agent, { question: "And now?" });
  return scrape(platform);
}

/** Metrics that an expression asks for, without what a histogram adds to its name. */
function metricsIn(text: string, { types }: Scrape): string[] {
  const names = [...text.matchAll(/\b(?:weft|process|nodejs)_\w+/g)].map(([name]) => name);
  return [...new Set(names)].map((name) => {
    const base = name.replace(/_(bucket|sum|count)$/, "");
    return types.get(base) === "histogram" ? base : name;
  });
}

test("every metric of the dashboard, the rules, the autoscaler and the documentation is in a scrape", async (t) => {
  const seen = await busyScrape(t);
  const dashboard = JSON.parse(read("grafana-dashboard.json"));
  const expressions: string[] = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  assert.ok(expressions.length > 20);
  const documentation = readFileSync(`${folder}/../../docs/observability.md`, "utf8").replaceAll("process_*", "");
  for (const text of [
    ...expressions,
    read("prometheus-rules.yaml"),
    read("prometheus-rules.test.yaml"),
    read("../kubernetes/weft.yaml"),
    documentation,
  ]) {
    for (const name of metricsIn(text.replaceAll("nodejs_*", ""), seen)) {
      assert.ok(seen.types.has(name), `${name} is in no scrape: ${text.slice(0, 200)}`);
    }
  }
  const ours = [...seen.types.keys()].filter((name) => name.startsWith("weft_"));
  assert.deepEqual(
    ours.filter((name) => !documentation.includes(name)),
    [],
  );
  const ids = dashboard.panels.map(({ id }: { id: number }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test("Prometheus takes a scrape, and finds its names well chosen", { skip }, async (t) => {
  const { text } = await busyScrape(t);
  promtool(["check", "metrics"], text);
});

test("the alert rules fire when they should, and not before", { skip }, () => {
  promtool(["check", "rules", "prometheus-rules.yaml"]);
  promtool(["test", "rules", "prometheus-rules.test.yaml"]);
  const rules = [...read("prometheus-rules.yaml").matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name);
  const documentation = readFileSync(`${folder}/../../docs/observability.md`, "utf8");
  assert.equal(rules.length, 6);
  for (const name of rules) assert.ok(documentation.includes(`\`${name}\``), name);
});
