// `./weft icons`: writes the icons that the builder imports into one file of drawings, from `lucide-react`. Its package is 51
// MB in 4,854 files, which nobody has to install who only starts the platform.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as lucide from "lucide-react";

const sources = fileURLToPath(new URL("../packages/builder/src/", import.meta.url));
export const iconsFile = join(sources, "icons/icons.gen.ts");

const packageFolder = new URL("../node_modules/lucide-react/", import.meta.url);

type Drawn = { name: string; node: [element: string, attributes: Record<string, string>][] };

/** The names that the sources of the builder import. */
export function listIcons(): string[] {
  const texts = globSync("**/*.{ts,tsx}", { cwd: sources }).map((path) => readFileSync(join(sources, path), "utf8"));
  const imports = texts.flatMap((text) => [...text.matchAll(/import \{([^}]+)\} from "[^"]*\/icons\.gen\.ts"/g)]);
  const names = imports.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim().split(" as ")[0] ?? ""));
  return [...new Set(names.filter((name) => name !== ""))].toSorted();
}

/** Throws where the package has no such icon. */
export function drawIcons(names: readonly string[]): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", packageFolder), "utf8")) as { version: string };
  const licence = readFileSync(new URL("LICENSE", packageFolder), "utf8").trim();
  const lines = names.map((exported) => {
    const { name, node } = drawingOf(exported);
    const drawing = node.map(([element, { key: _key, ...attributes }]) => [element, attributes]);
    return `export const ${exported} = /* @__PURE__ */ createIcon(${JSON.stringify(name)}, ${JSON.stringify(drawing)});`;
  });
  const head = `// Icons from lucide-react ${version}, made by \`./weft icons\` of those that the sources import from here.`;
  return `${head}\n/*\n${licence}\n*/\nimport { createIcon } from "./create-icon.ts";\n\n${lines.join("\n")}\n`;
}

/** What the component of an icon would draw. */
function drawingOf(exported: string): Drawn {
  const component: unknown = Reflect.get(lucide, exported);
  if (typeof component !== "object" || component === null || !("render" in component))
    throw new Error(`lucide-react has no icon ${exported}.`);
  const { render } = component as { render(props: object, ref: null): { props: { icon: Drawn } } };
  return render({}, null).props.icon;
}

if (import.meta.main) writeFileSync(iconsFile, drawIcons(listIcons()));
