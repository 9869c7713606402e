import type { TemplateSummary } from "@weft/client";
import { newAgentStrings as strings } from "../../strings.ts";

type Need = TemplateSummary["needs"][number];

/** The model of all steps, as a form. */
export const modelForm: object = {
  type: "object",
  properties: {
    model: {
      type: "object",
      title: strings.model,
      widget: "model-settings",
      properties: {
        provider: { type: "string", title: "Provider", widget: "model-provider" },
        model: { type: "string", title: "Model", widget: "model" },
        credential: { type: "string", title: "Credential", widget: "credential" },
      },
    },
  },
};

/** A form with a field for everything that a template needs besides a model; undefined where that is nothing. */
export function toNeedsForm(needs: readonly Need[]): object | undefined {
  const fields = needs.flatMap((need) => (need.kind === "model" ? [] : [[need.name, toField(need)] as const]));
  return fields.length === 0 ? undefined : { type: "object", properties: Object.fromEntries(fields) };
}

function toField({ kind, title, example }: Need): object {
  if (kind !== "service") return { type: "string", title, widget: kind };
  return { type: "string", title, description: strings.address, placeholder: example ?? "" };
}
