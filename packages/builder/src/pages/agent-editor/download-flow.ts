import { type FlowModel, toDocument } from "../../canvas/model/flow-model.ts";

/** Gives the browser a file with the flow in the native format, as `npm run flow` and the import take it. */
export function downloadFlow(name: string, model: FlowModel): void {
  const text = `${JSON.stringify(toDocument(model), null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${toFileName(name)}.flow.json`;
  link.click();
  URL.revokeObjectURL(address);
}

function toFileName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  return plain.replaceAll(/^-+|-+$/g, "").slice(0, 100) || "agent";
}
