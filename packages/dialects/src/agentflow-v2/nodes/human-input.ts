import type { JsonObject } from "@weft/schema";
import { toModelSettings } from "../models/to-model-settings.ts";
import type { NodeConverter, NodeScope } from "../node-converter.ts";

/** The person reads what was said last, and the question behind it. */
export const humanInput: NodeConverter = {
  type: "human-input",
  toConfig: (scope) => ({
    ...(scope.settings.text("humanInputDescriptionType") === "dynamic" ? toModelQuestion(scope) : toQuestion(scope)),
    feedback: scope.settings.flag("humanInputEnableFeedback"),
  }),
  toPorts: () => ["proceed", "reject"],
};

function toQuestion({ node, settings, flow }: NodeScope): JsonObject {
  const said = flow.speakersBefore(node.id).map(({ id }) => `{{ ${id} }}`);
  const question = settings.template("humanInputDescription") || "Do you want to proceed?";
  return { writtenBy: "author", question: [...said, question].join("\n\n") };
}

function toModelQuestion(scope: NodeScope): JsonObject {
  const instruction = scope.settings.template("humanInputModelPrompt");
  return {
    writtenBy: "model",
    model: toModelSettings(scope, "humanInputModel"),
    ...(instruction === "" ? {} : { instruction }),
  };
}
