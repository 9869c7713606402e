import { accounts } from "@weft/providers";
import type { z } from "zod";
import type { SettingText } from "../../packages/server/src/config-setting.ts";
import { settingSections } from "../../packages/server/src/config-settings.ts";

/** A setting that config.ts reads, or the text of one that is read elsewhere. */
type Row = z.ZodType | SettingText;

/** `docs/configuration.md`: what the rows of `config-settings.ts` and the accounts of providers say. */
export function toConfigurationPage(): string {
  const sections = Object.entries<Readonly<Record<string, Row>>>(settingSections).map(([title, rows]) =>
    [`## ${title}`, "", ...table(["variable", "default", "takes", "what it does"], toRows(rows))].join("\n"),
  );
  return `${[introduction, ...sections, providerSection()].join("\n\n")}\n`;
}

function toRows(rows: Readonly<Record<string, Row>>): string[][] {
  return Object.entries(rows).map(([name, row]) => {
    const isRead = "safeParse" in row;
    const { does, shown } = isRead ? readText(name, row) : row;
    return [code(name), code(shown ?? ""), isRead ? expectedBy(row) : "text", does];
  });
}

function readText(name: string, schema: z.ZodType): SettingText {
  const { does, shown } = schema.meta() ?? {};
  if (typeof does !== "string") throw new Error(`${name} does not say what it does: add .meta({ does }) to its row.`);
  const fallback = schema.parse("");
  return { does, shown: typeof shown === "string" ? shown : toText(fallback) };
}

/** What the message about a mistake asks for. */
function expectedBy(schema: z.ZodType): string {
  const [issue] = schema.safeParse("\u0001").error?.issues ?? [];
  return issue?.message.replace(/^must be /, "") ?? "text";
}

/** A default that can be written as it is. */
function toText(value: unknown): string {
  if (["number", "string", "boolean"].includes(typeof value)) return String(value);
  if (value !== undefined && Object.keys(value ?? {}).length > 0) throw new Error("Such a default needs `shown`.");
  return "";
}

/** Texts that say something about other variables have their own marks. */
function code(text: string): string {
  if (text === "") return "empty";
  return text.includes("`") || text.includes(" ") ? text : `\`${text}\``;
}

function providerSection(): string {
  const rows = accounts.flatMap(({ name, keyVariables = [], address }) => {
    const [key, ...others] = keyVariables;
    const also = others.length === 0 ? "" : ` ${others.map(code).join(" and ")} works, too.`;
    return [
      ...(key === undefined ? [] : [[code(key), "empty", "a key", `The key of \`${name}\`.${also}`]]),
      ...(address === undefined
        ? []
        : [
            [
              code(address.variable),
              "empty",
              address.expected,
              `The address or region of \`${name}\`, in place of the vendor's own.`,
            ],
          ]),
    ];
  });
  return `## Model providers

The operator's own accounts with vendors, for all agents. The first one that is set answers where a flow names no model; if none is set, the rehearsal model does. [Model providers](model-providers.md) lists vendors, what they offer and where their keys may go.

${table(["variable", "default", "takes", "what it does"], rows).join("\n")}`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

const introduction = `# Configuration

Generated from \`packages/server/src/config-settings.ts\` by \`./weft configuration\`.

Weft is configured through environment variables. An empty variable counts as unset. Invalid values stop start-up; the message names every mistake at once. Sizes are written as \`50mb\`, durations as \`30m\`, \`12h\` or \`7d\`, flags as \`true\` or \`false\`. For settings by task see [operating](operating.md).`;
