import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpClient } from "@weft/engine/ports/http-client";
import { openSandbox } from "./testing/open-sandbox.ts";

const { run, resultOf, errorOf } = openSandbox({ workers: 1 });

/** What Node gives for the same code. */
async function inNode(code: string): Promise<unknown> {
  const { default: evaluate } = await import(
    `data:text/javascript,export default () => { ${encodeURIComponent(code)} }`
  );
  return JSON.parse(JSON.stringify(evaluate()));
}

describe("locales and time zones in code", () => {
  const day = 'const day = new Date("2026-01-15T12:00:00Z");';
  for (const code of [
    `${day} return day.toLocaleString("en-GB", { timeZone: "Australia/Sydney", weekday: "long", hour: "2-digit", minute: "2-digit" });`,
    `${day} return [day.toLocaleString("en-US", { timeZone: "Asia/Tokyo" }), day.toLocaleDateString("de-DE"), day.toLocaleTimeString("fr")];`,
    `${day} return [day.toLocaleString(), day.toLocaleDateString(undefined, { month: "long" }), new Date("x").toLocaleString()];`,
    'return [(1234567.5).toLocaleString("de-DE"), (0.256).toLocaleString("en", { style: "percent" }), 12345678901234567890n.toLocaleString("de")];',
    'return [NaN.toLocaleString("de"), (-0).toLocaleString("de"), Infinity.toLocaleString("de")];',
    'return [1234.5, 6, null].toLocaleString("de");',
    'return ["z", "ä", "a", "Z"].sort((one, other) => one.localeCompare(other, "de"));',
    'return ["a".localeCompare("B", undefined, { sensitivity: "base" }), "10".localeCompare("9", "en", { numeric: true })];',
    'return ["i".toLocaleUpperCase("tr"), "I".toLocaleLowerCase("tr"), "ß".toLocaleUpperCase()];',
    'return ["NFC", "NFD", "NFKC", "NFKD"].map((form) => Array.from("ﬁé\\u0301".normalize(form), (one) => one.codePointAt(0)));',
    `${day} return new Intl.DateTimeFormat("ja-JP", { dateStyle: "full", timeZone: "Asia/Tokyo" }).format(day);`,
    `${day} return Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatToParts(day).map(({ type, value }) => type + value);`,
    'return new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" }).format(1234567);',
    'const { format } = new Intl.NumberFormat("de"); return [1.5, 2.5].map(format);',
    'return [1, 2, 5].map((n) => new Intl.PluralRules("ar").select(n));',
    'return new Intl.RelativeTimeFormat("es", { numeric: "auto" }).format(-1, "day");',
    'return new Intl.ListFormat("en", { type: "disjunction" }).format(["a", "b", "c"]);',
    'return [new Intl.DisplayNames("fr", { type: "region" }).of("JP"), Intl.getCanonicalLocales("EN-us")];',
    'return [...new Intl.Segmenter("th", { granularity: "word" }).segment("สวัสดีครับ")].map(({ segment }) => segment);',
    'return new Intl.Collator("sv").compare("ö", "z");',
    "return Intl.DateTimeFormat().resolvedOptions().timeZone;",
  ]) {
    it(`are those of Node: ${code.slice(0, 90)}`, async () => {
      assert.deepEqual(await resultOf(code), await inNode(code));
    });
  }

  it("are refused in words where they are unknown or too much", async () => {
    assert.match(
      await errorOf('return new Date(0).toLocaleString("en", { timeZone: "Mars/Base" });'),
      /RangeError: .*Mars/,
    );
    assert.match(await errorOf('return "a".localeCompare("b", "no_locale_this");'), /RangeError: /);
    assert.match(await errorOf('return "a".normalize("NFX");'), /RangeError: /);
    assert.match(await errorOf('return "a".repeat(200_000).localeCompare("b");'), /up to 100000 characters/);
    assert.match(await errorOf('return (10n ** 2000n).toLocaleString("de");'), /more than 1,000 digits/);
  });

  it("are right also where code names the method at run time", async () => {
    assert.equal(await resultOf('return (1.5)["toLocale" + "String"]("de");'), "1,5");
  });
});

describe("what code expects of Node and of browsers", () => {
  it("timers run in order, repeat and end", async () => {
    const value = await resultOf(`
      const seen = [];
      await new Promise((done) => {
        clearTimeout(setTimeout(() => seen.push("never"), 5));
        let times = 0;
        const every = setInterval(() => {
          seen.push("tick");
          if (++times < 2) return;
          clearInterval(every);
          setTimeout(done, 40);
          setTimeout((x) => seen.push(x), 20, "late");
        }, 1);
      });
      return seen;`);
    assert.deepEqual(value, ["tick", "tick", "late"]);
    assert.match(
      await errorOf("setTimeout(() => { throw new RangeError('late'); }, 1); await new Promise(() => {});"),
      /RangeError: late/,
    );
    assert.match(await errorOf("await new Promise((r) => setTimeout(r, 60_000));", { timeoutMs: 100 }), /TimeoutError/);
    assert.match(await errorOf("for (let i = 0; i < 2000; i++) setTimeout(() => 1, 1e6);"), /1000 timers/);
    assert.equal(await resultOf("setInterval(() => 1, 1); return 5;"), 5);
  });

  it("signals abort requests and tell listeners", async () => {
    const http: HttpClient = { request: () => new Promise(() => undefined) };
    const code = `
      const controller = new AbortController();
      const seen = [];
      controller.signal.addEventListener("abort", () => seen.push("abort"));
      setTimeout(() => controller.abort(), 5);
      try { await fetch("https://x.example", { signal: controller.signal }); } catch (error) { seen.push(error.name); }
      try { await fetch("https://x.example", { signal: AbortSignal.timeout(5) }); } catch (error) { seen.push(error.name); }
      return seen;`;
    assert.deepEqual(await resultOf(code, { http }), ["abort", "AbortError", "TimeoutError"]);
  });

  it("copies, texts as bytes, headers and forms", async () => {
    const value = await resultOf(`
      const given = { date: new Date(0), map: new Map([["a", new Set([1])]]), list: [1, { deep: true }] };
      given.self = given;
      const copy = structuredClone(given);
      let refused;
      try { structuredClone({ run() {} }); } catch (error) { refused = error.name; }
      const headers = new Headers({ "Content-Type": "a", X: "1" });
      headers.append("x", "2");
      const form = new FormData();
      form.append("a", 1);
      return [copy.self === copy, copy.map.get("a").has(1), copy.list[1] !== given.list[1], copy.date.getTime(), refused,
        new TextDecoder().decode(new TextEncoder().encode("größe €")), new TextEncoder().encode("€").length,
        [...headers], headers.get("X"), [...form], crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(4)).length];`);
    assert.deepEqual(value, [
      ...[true, true, true, 0, "DataCloneError", "größe €", 3],
      ...[
        [
          ["content-type", "a"],
          ["x", "1, 2"],
        ],
        "1, 2",
        [["a", "1"]],
        36,
        4,
      ],
    ]);
  });

  it("sends forms as multipart", async () => {
    const sent: unknown[] = [];
    const http: HttpClient = {
      async request({ headers, body }) {
        sent.push(headers, String(body));
        return { status: 200, statusText: "OK", headers: {}, truncated: false, url: "", body: Buffer.from("{}") };
      },
    };
    const code = `const form = new FormData(); form.append('na"me', "x"); await fetch("https://x.example", { method: "POST", body: form });`;
    await run(code, { http });
    assert.match(JSON.stringify(sent), /multipart\/form-data; boundary=----form-\d+/);
    assert.match(String(sent[1]), /form-data; name="na%22me"\r\n\r\nx\r\n------form-\d+--\r\n$/);
  });

  it("modules of Node: path, events, assert, zlib, crypto", async () => {
    const value = await resultOf(`
      const path = require("node:path");
      const EventEmitter = require("events");
      const assert = require("assert");
      const zlib = require("zlib");
      const { timingSafeEqual, createHash, webcrypto } = require("crypto");
      const seen = [];
      class Mine extends EventEmitter {}
      const mine = new Mine();
      mine.on("x", (...given) => seen.push(given)).once("x", () => seen.push("once"));
      mine.emit("x", 1, 2);
      mine.emit("x", 3);
      assert.deepStrictEqual({ a: [1, new Date(0)] }, { a: [1, new Date(0)] });
      assert.throws(() => { throw new Error("no"); }, /no/);
      let failed;
      try { assert.strictEqual(1, 2, "differs"); } catch (error) { failed = [error.code, error.message]; }
      const hash = Buffer.from(await webcrypto.subtle.digest("SHA-256", new TextEncoder().encode("a"))).toString("hex");
      return [path.join("a", "..", "b.txt"), path.extname("x.tar.gz"), path.resolve("a"), path.parse("/a/b.c").name,
        seen, failed, zlib.gunzipSync(zlib.gzipSync("hello")).toString(), zlib.inflateSync(zlib.deflateSync("x")).toString(),
        timingSafeEqual(Buffer.from("a"), Buffer.from("a")), hash === createHash("sha256").update("a").digest("hex")];`);
    assert.deepEqual(value, [
      ...["b.txt", ".gz", "/a", "b", [[1, 2], "once", [3]], ["ERR_ASSERTION", "differs"], "hello", "x", true, true],
    ]);
    const bomb = "return require('zlib').gunzipSync(require('zlib').gzipSync(Buffer.alloc(6_000_000))).length;";
    assert.match(await errorOf(bomb), /Error: /);
  });
});
