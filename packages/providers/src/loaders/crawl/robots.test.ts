import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { processorMs } from "../../../../schema/src/testing/processor-time.ts";
import { parseRobots } from "./crawl-frontier.ts";

const rules = (...lines: string[]) => parseRobots(["User-agent: *", ...lines].join("\n"), "weft");

describe("robots.txt (RFC 9309)", () => {
  const cases: [name: string, lines: string[], allowed: string[], refused: string[]][] = [
    ["the longest rule decides", ["Disallow: /a", "Allow: /a/b", "Disallow: /a/b/c"], ["/a/b", "/x"], ["/a", "/a/b/c"]],
    ["the allowing one of two that are as long", ["Disallow: /a", "Allow: /a"], ["/a"], []],
    ["a wildcard is anything, and nothing", ["Disallow: /*/x*.gif"], ["/x.gif", "/a/x"], ["/a/x.gif", "/a/b/x1.gif?q"]],
    ["a dollar ends the path and its query", ["Disallow: /*.php$"], ["/a.php?q", "/a.php5"], ["/a.php"]],
    ["a dollar elsewhere is a dollar", ["Disallow: /a$b"], ["/a"], ["/a$b"]],
    ["paths differ in case, names of fields do not", ["DISALLOW: /Secret"], ["/secret"], ["/Secret"]],
    ["what is encoded equals what is not", ["Disallow: /好", "Disallow: /%7e"], ["/a"], ["/%E5%A5%BD", "/%7E"]],
    ["an empty rule is none", ["Disallow:"], ["/", "/a"], []],
    ["a path that looks like a host is a path", ["Disallow: //b"], ["/b"], ["//b/c"]],
    ["comments and lines of other kinds are passed over", ["Disallow: /a # b", "Nonsense", ": x"], ["/b"], ["/a"]],
  ];
  for (const [name, lines, allowed, refused] of cases) {
    test(name, () => {
      const { isAllowed } = rules(...lines);
      assert.deepEqual(allowed.filter(isAllowed), allowed);
      assert.deepEqual(refused.filter(isAllowed), []);
    });
  }

  test("an agent obeys the groups with its name, in any case and with a version, else those for all", () => {
    const text =
      "User-agent: *\nDisallow: /\n\nUser-agent: a\nUser-agent: WEFT/2.0\nDisallow: /x\n\nuser-agent: weft\nDisallow: /y";
    const asked = (agent: string) => ["/", "/x", "/y"].map(parseRobots(text, agent).isAllowed);
    assert.deepEqual(asked("weft"), [true, false, false]);
    assert.deepEqual(asked("other"), [false, false, false]);
    assert.deepEqual(asked("__proto__"), [false, false, false]);
  });

  test("a byte order mark and any ends of lines are read", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = `\uFEFFUser-agent: *${end}Disallow: /a${end}Crawl-delay: 2${end}Sitemap: https://a.example/S.xml${end}`;
      const { isAllowed, crawlDelayMs, sitemaps } = parseRobots(text, "weft");
      assert.deepEqual([isAllowed("/a"), crawlDelayMs, sitemaps], [false, 2_000, ["https://a.example/S.xml"]]);
    }
  });

  test("a delay that is no length of time is none", () => {
    for (const delay of ["-5", "soon", ""])
      assert.equal(rules(`Crawl-delay: ${delay}`, "Disallow: /a").crawlDelayMs, 0);
  });

  test("nothing after 500 KiB is read", () => {
    const { isAllowed } = rules("Disallow: /a", `# ${"x".repeat(500 * 1024)}`, "Disallow: /b");
    assert.deepEqual(["/a", "/b"].map(isAllowed), [false, true]);
  });

  test("wildcards that would take seconds to compare refuse long paths, quickly", () => {
    const { isAllowed } = rules(...new Array(500).fill(`Disallow: /${"*a".repeat(500)}b`));
    const started = processorMs();
    assert.equal(isAllowed(`/${"a".repeat(2_000)}c`), false);
    assert.equal(isAllowed("/about"), true);
    assert.ok(processorMs() - started < 250);
  });
});
