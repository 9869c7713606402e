import { globSync } from "node:fs";
import type { VendorWire } from "./vendor-wire.ts";

const src = new URL("../", import.meta.url);

/** The wire formats that the folders of providers bring, by the name of the provider. */
export const wires: Readonly<Record<string, VendorWire>> = Object.assign(
  {},
  ...(await Promise.all(
    globSync("*/testing/wire.ts", { cwd: src }).map(
      async (path) => ((await import(new URL(path, src).href)) as { wires: Record<string, VendorWire> }).wires,
    ),
  )),
);

/** Whether the folder of a provider that calls nobody has a test of its model. */
export function hasOwnTest(name: string): boolean {
  return globSync(`${name}/*-model.test.ts`, { cwd: src }).length > 0;
}
