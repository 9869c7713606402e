import { openAiWire } from "../../openai/testing/wire.ts";
import type { VendorWire } from "../../testing/vendor-wire.ts";
import { openAiCompatible } from "../openai-compatible.ts";
import { compatibleVendors } from "../vendors.ts";

export const wires: Record<string, VendorWire> = Object.fromEntries(
  [openAiCompatible, ...compatibleVendors].map(({ name }) => [name, openAiWire]),
);
