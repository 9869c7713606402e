// `./weft marks`: writes the marks of vendors that the builder shows into one file of symbols.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { vendorMarks } from "../packages/builder/src/ui/vendor-marks.ts";

export const marksFile = fileURLToPath(new URL("../packages/builder/public/vendor-marks.svg", import.meta.url));

const icons = new URL("../node_modules/@lobehub/icons-static-svg/icons/", import.meta.url);

const notice = `
Marks of vendors from @lobehub/icons-static-svg.
The marks are trademarks of their owners; they stand beside the names of the products that they belong to.

MIT License. Copyright (c) 2023 LobeHub

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/** The symbols, named by their marks. Throws where the package has no such picture, or draws with more than paths. */
export function drawMarks(names: readonly string[]): string {
  const symbols = names.map((name) => `<symbol id="${name}" viewBox="0 0 24 24">${pathsOf(name)}</symbol>`);
  return `<svg xmlns="http://www.w3.org/2000/svg">\n<title>Marks of vendors</title>\n<!--${notice}-->\n${symbols.join("\n")}\n</svg>\n`;
}

function pathsOf(name: string): string {
  const svg = readFileSync(new URL(`${name}.svg`, icons), "utf8");
  const inside = /^<svg [^>]*viewBox="0 0 24 24"[^>]*><title>[^<]*<\/title>(.*)<\/svg>\s*$/s.exec(svg)?.[1];
  const paths = inside?.match(/<path [^<>]*>/g) ?? [];
  if (paths.length === 0 || inside?.replaceAll(/<\/?path[^<>]*>/g, "").trim() !== "") {
    throw new Error(`${name}.svg is not only paths of 24 by 24.`);
  }
  return paths.map((path) => `<path d="${/ d="([^"]+)"/.exec(path)?.[1]}"/>`).join("");
}

if (import.meta.main) writeFileSync(marksFile, drawMarks(Object.keys(vendorMarks)));
