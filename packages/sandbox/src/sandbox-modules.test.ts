import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { missingModulesSentence } from "@weft/engine/ports/sandbox";
import { openSandbox } from "./testing/open-sandbox.ts";

const { run, resultOf, errorOf } = openSandbox({ workers: 1 });

describe("the libraries that code may require", () => {
  it("work as their own: Lodash", async () => {
    const value = await resultOf(`
      const _ = require("lodash");
      const get = require("lodash/get");
      return [_.chunk([1, 2, 3], 2), _.groupBy(["one", "two", "three"], "length"), get({ a: [{ b: 5 }] }, "a[0].b"),
        _.template("Hello <%= name %>")({ name: "Ada" }), _.camelCase("foo bar"), _ === require("lodash")];`);
    assert.deepEqual(value, [[[1, 2], [3]], { 3: ["one", "two"], 5: ["three"] }, 5, "Hello Ada", "fooBar", true]);
  });

  it("work as their own: Moment and Day.js, with their languages and plugins", async () => {
    const value = await resultOf(`
      const moment = require("moment");
      const dayjs = require("dayjs");
      dayjs.extend(require("dayjs/plugin/utc"));
      require("dayjs/locale/de");
      const day = "2024-02-29T12:30:00Z";
      moment.locale("fr");
      return [moment.utc(day).format("dddd D MMMM YYYY, HH:mm"), moment.utc(day).add(1, "year").format("YYYY-MM-DD"),
        dayjs.utc(day).locale("de").format("dddd, D. MMMM"), dayjs.utc(day).add(1, "day").format("YYYY-MM-DD"),
        moment("2024-13-45").isValid()];`);
    assert.deepEqual(value, [
      "jeudi 29 février 2024, 12:30",
      "2025-02-28",
      "Donnerstag, 29. Februar",
      "2024-03-01",
      false,
    ]);
  });

  it("work as their own: Cheerio", async () => {
    const html = "<title>T &amp; U</title><ul><li class=a>1<li><a href='/x'>two</a></ul><script>no()</script>";
    const value = await resultOf(
      `
      const cheerio = require("cheerio");
      const $ = cheerio.load($html);
      $("script").remove();
      return [$("title").text(), $("li.a").text(), $("li").map((i, el) => $(el).text()).get(), $("a").attr("href"),
        $("ul > li:nth-child(2) a").length, $("body").html()];`,
      { globals: { $html: html } },
    );
    assert.deepEqual(value, [
      "T & U",
      "1",
      ["1", "two"],
      "/x",
      1,
      '<ul><li class="a">1</li><li><a href="/x">two</a></li></ul>',
    ]);
  });

  it("are those of Node where they have its names", async () => {
    const value = await resultOf(`
      const { createHash, createHmac, randomUUID, randomBytes, randomInt } = require("crypto");
      const qs = require("querystring");
      const { Buffer: Own } = require("node:buffer");
      const url = new URL("/a b?x=1#h", "https://user:pw@ex\u00e4mple.com:8443");
      url.searchParams.append("y", "2 & 3");
      url.pathname = "/p";
      const params = new URLSearchParams({ q: "a b", n: 1 });
      params.set("q", "c+d"); params.append("q", "e");
      return { sha: createHash("sha256").update("ü").update(Buffer.from([1, 2])).digest("hex"),
        md5: createHash("md5").update("x").digest("base64"),
        raw: createHash("sha1").update("x").digest().toString("hex"),
        hmac: createHmac("sha512", "key").update("data").digest("hex"),
        uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(randomUUID()), bytes: randomBytes(12).length, int: randomInt(5, 6),
        query: qs.parse("a=1&a=2&b=%20"), text: qs.stringify({ a: [1, 2], b: "x y", c: undefined }),
        basic: Buffer.from("user:pässword").toString("base64"), same: Buffer === Own, atob: atob(btoa("hi")),
        href: url.href, origin: url.origin, host: url.host, params: String(params), all: params.getAll("q"), list: [...params],
        json: JSON.stringify({ url }), can: URL.canParse("nonsense") };`);
    assert.deepEqual(value, {
      sha: createHash("sha256")
        .update("ü")
        .update(Buffer.from([1, 2]))
        .digest("hex"),
      md5: createHash("md5").update("x").digest("base64"),
      raw: createHash("sha1").update("x").digest("hex"),
      hmac: createHmac("sha512", "key").update("data").digest("hex"),
      uuid: true,
      bytes: 12,
      int: 5,
      query: { a: ["1", "2"], b: " " },
      text: "a=1&a=2&b=x%20y&c=",
      basic: Buffer.from("user:pässword").toString("base64"),
      same: true,
      atob: "hi",
      href: "https://user:pw@xn--exmple-cua.com:8443/p?x=1&y=2+%26+3#h",
      origin: "https://xn--exmple-cua.com:8443",
      host: "xn--exmple-cua.com:8443",
      params: "q=c%2Bd&n=1&q=e",
      all: ["c+d", "e"],
      list: [
        ["q", "c+d"],
        ["n", "1"],
        ["q", "e"],
      ],
      json: '{"url":"https://user:pw@xn--exmple-cua.com:8443/p?x=1&y=2+%26+3#h"}',
      can: false,
    });
  });

  it("are errors that say what to do where the sandbox lacks them", async () => {
    for (const name of [
      "fs",
      "node:child_process",
      "../../../../etc/passwd",
      "dayjs/plugin/none",
      "dayjs/../lodash",
      "",
    ]) {
      const message = await errorOf(`return require(${JSON.stringify(name)})`);
      assert.match(message, /^Error: The sandbox has no module .*Use fetch and plain JavaScript\.$/, name);
    }
    assert.match(await errorOf("new URL('nonsense')"), /^TypeError: Invalid URL$/);
    assert.match(
      await errorOf("require('crypto').createHash('crc')"),
      /^TypeError: The sandbox has no hash crc\. Use md5,/,
    );
    assert.match(await errorOf("require('crypto').randomBytes(1e9)"), /65536 bytes at most/);
  });

  it("are all found by what looks at the code before it runs", () => {
    const code = ["lodash", "lodash/get", "node:crypto", "dayjs/plugin/utc", "axios", "pg", "mysql2/promise"].map(
      (name) => `require("${name}")`,
    );
    assert.equal(missingModulesSentence(code.join(";"), "It"), undefined);
    assert.match(
      missingModulesSentence("require('mongodb'); require('fs')", "It") ?? "",
      /^It uses mongodb, fs, which/,
    );
    assert.match(missingModulesSentence("await axios.get('x')", "It") ?? "", /Begin it with: const axios = require/);
  });
});

describe("hostile use of modules", () => {
  it("spoils only its own run", async () => {
    await run(`
      const _ = require("lodash");
      _.chunk = () => "spoilt"; require("moment").fn.format = () => "spoilt";
      try { _.set({}, "__proto__.polluted", 1); _.merge({}, JSON.parse('{"constructor":{"prototype":{"polluted":1}}}')) } catch {}
      Object.prototype.polluted = 1;`);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    const value = await resultOf(`return [require("lodash").chunk([1], 1), ({}).polluted ?? "clean"]`);
    assert.deepEqual(value, [[[1]], "clean"]);
  });

  it("reaches nothing of the host", async () => {
    const names = ["axios", "buffer", "cheerio", "crypto", "dayjs", "lodash", "moment", "querystring", "url"];
    names.push("mysql2", "mysql2/promise", "pg", "typeorm");
    for (const name of names) {
      const value = await resultOf(`
        const module = require("${name}");
        const constructor = (typeof module === "function" ? module : Object.values(module).find((each) => typeof each === "function")).constructor;
        return [constructor("return typeof process")(), constructor("return typeof fetch")()];`);
      assert.deepEqual(value, ["undefined", "undefined"], name);
    }
  });

  it("ends at the deadline and at the memory limit", async () => {
    const loop = `const _ = require("lodash"); while (true) _.sortBy([3, 2, 1]);`;
    assert.match(await errorOf(loop, { timeoutMs: 300 }), /^TimeoutError/);
    const bomb = `const _ = require("lodash"); const all = []; while (true) all.push(_.range(100000));`;
    assert.match(await errorOf(bomb, { timeoutMs: 20_000 }), /more memory|out of memory/);
    assert.equal(await resultOf(`return require("lodash").sum([1, 2])`), 3);
  });

  it("cannot make the host do more than compute", async () => {
    for (const code of [
      `Object.prototype.do = "__proto__"; return new URL("https://a.example").href`,
      `JSON.stringify = () => '{"do":"constructor"}'; return new URL("https://a.example").href`,
      `JSON.stringify = () => 'no json'; return require("crypto").randomUUID()`,
      `String.prototype.replace = () => "fs"; return typeof require("lodash")`,
      `Array.prototype[Symbol.iterator] = null; return new URL("https://a.example").href`,
    ]) {
      assert.equal(typeof (await run(code)).ok, "boolean", code);
    }
    assert.equal(await resultOf("return 1"), 1);
  });
});
