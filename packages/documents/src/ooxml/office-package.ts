import { posix } from "node:path";
import type { ReadContext } from "../read-context.ts";
import { Unreadable } from "../unreadable.ts";
import { type Archive, openArchive } from "../zip/archive.ts";
import { walkXml } from "./walk-xml.ts";

/** One part of the package that another refers to. `kind` is the end of the relationship's type, e.g. `slide`. */
export type Relation = { id: string; kind: string; part: string };

type Relationship = Relation & { target: string; isExternal: boolean };

export type OfficePackage = {
  /** Name of the part with the document, the workbook or the presentation. */
  mainPart: string;
  read(part: string): Uint8Array | undefined;
  /** What a part refers to inside the package. */
  relationsOf(part: string): Relation[];
  /** Web addresses that a part links to, by relationship id. */
  linksOf(part: string): Map<string, string>;
  title: string | undefined;
};

/** Opens a DOCX, XLSX or PPTX. Source: ECMA-376-2, section 6 (parts and relationships). */
export function openOfficePackage({ bytes, format, limits }: ReadContext): OfficePackage {
  const archive = openArchive(bytes, limits);
  const relationsOf = (part: string) => readRelations(archive, part).filter(({ isExternal }) => !isExternal);
  const main = relationsOf("").find((relation) => relation.kind === "officeDocument");
  if (main === undefined) throw new Unreadable(`it is no ${format} file: its main part is missing`);
  const linksOf = (part: string) => toLinks(readRelations(archive, part));
  return { mainPart: main.part, read: archive.read, relationsOf, linksOf, title: readTitle(archive) };
}

/** Links are only reported to the reader, never followed. */
function toLinks(relations: readonly Relationship[]): Map<string, string> {
  const links = new Map<string, string>();
  for (const { id, target, kind, isExternal } of relations) {
    const url = isExternal && kind === "hyperlink" ? URL.parse(target) : null;
    if (url !== null && /^(https?|mailto):$/.test(url.protocol)) links.set(id, url.href.replaceAll(")", "%29"));
  }
  return links;
}

function readRelations(archive: Archive, part: string): Relationship[] {
  const folder = posix.dirname(part);
  const bytes = archive.read(posix.join(folder, "_rels", `${posix.basename(part)}.rels`));
  const relations: Relationship[] = [];
  if (bytes === undefined) return relations;
  walkXml(bytes, {
    open(name, { Id = "", Type = "", Target = "", TargetMode }) {
      if (name !== "Relationship") return;
      const isExternal = TargetMode === "External";
      const named = Target.startsWith("/") ? posix.normalize(Target.slice(1)) : posix.join(folder, Target);
      const kind = Type.slice(Type.lastIndexOf("/") + 1);
      relations.push({ id: Id, kind, part: isExternal ? "" : named, target: Target, isExternal });
    },
  });
  return relations;
}

function readTitle(archive: Archive): string | undefined {
  const bytes = archive.read("docProps/core.xml");
  if (bytes === undefined) return undefined;
  let title = "";
  let isTitle = false;
  walkXml(bytes, {
    open(name) {
      isTitle = name === "title";
    },
    close() {
      isTitle = false;
    },
    text(text) {
      if (isTitle) title += text;
    },
  });
  return title;
}

/** The relationship id of an element: `r:id`, which may occur beside its own `id`. */
export function relationIdOf(attributes: Record<string, string>): string | undefined {
  return Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1];
}
