import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `usual`: what `npm test` runs; `long`: what it leaves to `npm run test:long`; `any`: both; `browser`: tests in Chromium. */
export type Tier = "usual" | "long" | "any" | "browser";

const nodeTests = [
  "packages/*/src/**/*.test.{ts,tsx}",
  "{apps/*,imports}/src/**/*.test.ts",
  "{scripts,proof/bench,proof/sim}/**/*.test.ts",
];
const browserTests = ["proof/e2e/**/*.test.ts"];

/**
 * Paths of test files from the root. The comment `// @tier long: why` at the head of a file keeps it out of `npm test`.
 * Files with tests on the database of `TEST_DATABASE` are in `long` too: there they run on PostgreSQL.
 */
export function findTests(root: string, tier: Tier): string[] {
  const files = globSync(tier === "browser" ? browserTests : nodeTests, { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
  if (tier === "any" || tier === "browser") return files;
  return files.filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const isLong = /^\/\/ @tier long: \S/m.test(text.slice(0, 2_000));
    return tier === "usual" ? !isLong : isLong || /\bawait onTestDatabase\(/.test(text);
  });
}
