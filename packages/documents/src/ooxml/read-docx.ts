import type { ReadContext, ReadResult } from "../read-context.ts";
import { createFlowText, type FlowRules } from "./flow-text.ts";
import { type OfficePackage, openOfficePackage } from "./office-package.ts";
import { attributeOf, walkXml } from "./walk-xml.ts";
import { createWordRoles } from "./word-styles.ts";

/**
 * Headings, paragraphs, lists and tables in order, as Markdown, then the notes that the text refers to as `[1]`.
 * Tracked deletions are dropped, insertions kept; headers, footers and comments are not part of the text.
 */
export function readDocx(context: ReadContext): ReadResult {
  const office = openOfficePackage(context);
  const { mainPart, read, relationsOf, title } = office;
  const referred: string[] = [];
  const roleOf = readRoles(office);
  const rulesOf = (part: string): PartRules => {
    const links = office.linksOf(part);
    return { budget: context.budget, roleOf, linkOf: (id) => links.get(id ?? "") };
  };
  const body = readWordPart(read(mainPart), rulesOf(mainPart), referred).get(mainText) ?? "";
  const notes = new Map<string, string>();
  for (const { kind, part } of relationsOf(mainPart)) {
    if (kind !== "footnotes" && kind !== "endnotes") continue;
    for (const [key, text] of readWordPart(read(part), rulesOf(part), [])) notes.set(key, text);
  }
  const lines = referred.map((key, index) => `[${index + 1}] ${context.budget.take(notes.get(key) ?? "")}`);
  const text = [body, lines.join("\n")].filter((part) => part !== "").join("\n\n");
  return { sections: [{ text, metadata: {} }], title };
}

type PartRules = Omit<FlowRules, "plain">;

function readRoles({ mainPart, read, relationsOf }: OfficePackage): FlowRules["roleOf"] {
  const relations = relationsOf(mainPart);
  const partOf = (kind: string) => read(relations.find((relation) => relation.kind === kind)?.part ?? "");
  return createWordRoles({ styles: partOf("styles"), numbering: partOf("numbering") });
}

const mainText = "";
const skipped = new Set(["del", "moveFrom", "Fallback", "rPrChange", "pPrChange"]);

/**
 * Texts of a part: that of the document under the empty key, those of notes under `footnote <id>` and `endnote <id>`.
 * Adds the keys of the notes that the text refers to.
 */
function readWordPart(bytes: Uint8Array | undefined, rules: PartRules, referred: string[]): Map<string, string> {
  const texts = new Map<string, string>();
  if (bytes === undefined) return texts;
  let flow = createFlowText({ ...rules, plain: "paragraph" });
  let key = mainText;
  walkXml(bytes, {
    skipped,
    open(name, attributes) {
      if (name === "footnote" || name === "endnote") {
        key = `${name} ${attributeOf(attributes, "id")}`;
        flow = createFlowText({ ...rules, plain: "line" });
      } else if (name === "footnoteReference" || name === "endnoteReference") {
        const note = `${name.replace("Reference", "")} ${attributeOf(attributes, "id")}`;
        flow.insert(`[${referred.push(note)}]`);
      } else flow.open(name, attributes);
    },
    close(name) {
      flow.close(name);
      if (name === "footnote" || name === "endnote") texts.set(key, flow.toText());
    },
    text: (text) => flow.text(text),
  });
  if (key === mainText) texts.set(mainText, flow.toText());
  return texts;
}
