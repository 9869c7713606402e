import assert from "node:assert/strict";
import type { Platform } from "@weft/server";

/** A scrape's samples by name and labels, as in `up{job="a"}`. */
export type Scrape = {
  text: string;
  samples: ReadonlyMap<string, number>;
  /** By the names of metrics, with or without samples. */
  types: ReadonlyMap<string, string>;
};

/** Reads Prometheus' text format strictly: every line must have its form, and every sample its type before it. */
export function parseScrape(text: string): Scrape {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  assert.ok(text.endsWith("\n"));
  for (const line of text.slice(0, -1).split("\n")) {
    const [, name = "", type = ""] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (name !== "") types.set(name, type);
    if (/^# (HELP|TYPE) /.test(line)) continue;
    const match = /^([a-zA-Z_:][\w:]*)(\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*\})? (-?[\d.e+-]+|NaN|[+-]Inf)$/.exec(line);
    assert.ok(match, line);
    const [, metric = "", labels = "", value = ""] = match;
    assert.ok(types.has(metric) || types.get(metric.replace(/_(bucket|sum|count)$/, "")) === "histogram", line);
    assert.ok(!samples.has(metric + labels), `twice: ${line}`);
    samples.set(metric + labels, Number(value));
  }
  return { text, samples, types };
}

export async function scrape({ fetch, token }: Pick<Platform, "fetch"> & { token: string }): Promise<Scrape> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new Request("http://platform/metrics", { headers }));
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  return parseScrape(text);
}
