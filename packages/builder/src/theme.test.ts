import assert from "node:assert/strict";
import { it } from "node:test";
import { DEFAULT_THEME, defaultCssVariablesResolver, luminance, mergeMantineTheme } from "@mantine/core";
import { cssVariables, theme } from "./theme.ts";

const whole = mergeMantineTheme(DEFAULT_THEME, theme);
const [given, own] = [defaultCssVariablesResolver(whole), cssVariables(whole)];

/** The colour that a variable of Mantine's has on the page. */
function colourOf(scheme: "light" | "dark", variable: string): string {
  const value = { ...given.variables, ...given[scheme], ...own.variables, ...own[scheme] }[variable];
  assert.ok(value, `${variable} in ${scheme}`);
  const [, other] = /^var\((.+)\)$/.exec(value) ?? [];
  return other === undefined ? value : colourOf(scheme, other);
}

function contrast(a: string, b: string): number {
  const [darker, lighter] = [Math.min(luminance(a), luminance(b)), Math.max(luminance(a), luminance(b))];
  return (lighter + 0.05) / (darker + 0.05);
}

it("keeps 4.5 : 1 between text and tinted grounds, at rest and under the pointer", () => {
  const names = Object.keys(own.light).flatMap((key) => /^--mantine-color-(\w+)-light-color$/.exec(key)?.[1] ?? []);
  assert.ok(names.includes(whole.primaryColor));
  const faint = (["light", "dark"] as const).flatMap((scheme) =>
    names.flatMap((name) =>
      ["light", "light-hover"].flatMap((ground) => {
        const [text, under] = ["light-color", ground].map((part) =>
          colourOf(scheme, `--mantine-color-${name}-${part}`),
        );
        const ratio = contrast(text ?? "", under ?? "");
        return ratio < 4.5 ? [`${name}-${ground}, ${scheme}: ${ratio.toFixed(2)}`] : [];
      }),
    ),
  );
  assert.deepEqual(faint, []);
});
