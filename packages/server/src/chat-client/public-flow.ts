import type { StartForm } from "@weft/schema";

/**
 * What existing chat clients read of a flow, as JSON text: a start node in the format of AgentFlow V2 that asks for the
 * form, or for a message. It is made from the form alone, so prompts, addresses, tools and credentials are never in it.
 */
export function toPublicFlow(form: StartForm | undefined): string {
  const inputs = form === undefined ? { startInputType: "chatInput" } : toFormInputs(form);
  return JSON.stringify({ nodes: [{ id: "startAgentflow_0", data: { name: "startAgentflow", inputs } }], edges: [] });
}

function toFormInputs({ title, description, fields }: StartForm) {
  return {
    startInputType: "formInput",
    formTitle: title,
    formDescription: description,
    formInputTypes: fields.map(({ type, label, name, options }) => ({
      type,
      label: label || name,
      name,
      addOptions: options.map((option) => ({ option })),
    })),
  };
}
