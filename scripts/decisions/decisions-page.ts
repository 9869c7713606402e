import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../docs/decisions/", import.meta.url));

/** `docs/decisions/README.md`: number, title, date and status of each decision, as its own page says. */
export function toDecisionsPage(): string {
  const files = globSync("[0-9][0-9][0-9][0-9]-*.md", { cwd: folder }).toSorted();
  const rows = files.map((file) => toRow(file, readFileSync(folder + file, "utf8")));
  const header = ["decision", "date", "status"];
  const lines = [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${introduction}\n${lines.join("\n")}\n`;
}

function toRow(file: string, text: string): string[] {
  const [, number, title = ""] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
  const [, date = "", status = ""] = /^Date: (\d{4}-\d{2}-\d{2})\. Status: (.+?)\.?$/m.exec(text) ?? [];
  if (Number(number) !== Number(file.slice(0, 4)))
    throw new Error(`${file}: its first line is not "# ${Number(file.slice(0, 4))}. …"`);
  if (!/^(accepted|superseded)\b/.test(status))
    throw new Error(`${file}: has no line "Date: …. Status: accepted|superseded …."`);
  return [`[${number}. ${title}](${file})`, date, status];
}

const introduction = `# Decisions

Generated from the pages in this folder by \`./weft decisions\`.

Why Weft is built the way it is. [The first one](0001-record-decisions.md) says what goes here and in which form. A page is not rewritten when a decision changes: a newer one supersedes it, and the status of the older one says so. Numbers have gaps.
`;
