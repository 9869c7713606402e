import type { ChatConfig, StartForm } from "@weft/schema";
import type { Lead } from "../protocol/agent-api.ts";
import { strings } from "../strings.ts";
import { element } from "./element.ts";

type Field = StartForm["fields"][number];
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export type FilledForm = { text: string; form: Record<string, unknown> };

/** The form of an agent that takes one in place of a message. */
export function startForm(
  { title, description, fields }: StartForm,
  onSend: (filled: FilledForm) => void,
): HTMLElement {
  const controls = fields.map((field) => ({ field, control: controlOf(field) }));
  return element(
    "form",
    {
      class: "card",
      submit(event) {
        event.preventDefault();
        onSend(toFilled(controls));
      },
    },
    title === "" ? undefined : element("h2", {}, title),
    description === "" ? undefined : element("p", { class: "note" }, description),
    ...controls.map(({ field, control }) => labelled(field.label || field.name, control, field.type === "boolean")),
    element("div", {}, element("button", { type: "submit", class: "button primary" }, strings.formSend)),
  );
}

function controlOf({ name, type, options, required, default: given }: Field): Control {
  const shared = { name, class: "input", required: required && type !== "boolean" };
  if (type === "boolean") {
    return element("input", { type: "checkbox", name, checked: given === true || given === "true" });
  }
  if (type === "options") {
    const choices = options.map((option) => element("option", { value: option, selected: option === given }, option));
    return element("select", shared, element("option", { value: "" }, strings.choose), ...choices);
  }
  if (type === "number") return element("input", { ...shared, type: "number", step: "any", value: given?.toString() });
  return element("textarea", { ...shared, rows: 1 }, given?.toString() ?? "");
}

function labelled(label: string, control: Control, isCheck: boolean): HTMLElement {
  return isCheck
    ? element("label", { class: "check" }, control, label)
    : element("label", {}, element("span", {}, label, control.required ? " *" : ""), control);
}

/** Empty fields are left to the agent. */
function toFilled(controls: readonly { field: Field; control: Control }[]): FilledForm {
  const values = controls.flatMap(({ field, control }) => {
    const value = readControl(field, control);
    return value === undefined ? [] : [{ field, value }];
  });
  return {
    text: values.map(({ field, value }) => `${field.label || field.name}: ${value}`).join("\n"),
    form: Object.fromEntries(values.map(({ field, value }) => [field.name, value])),
  };
}

function readControl({ type }: Field, control: Control): string | number | boolean | undefined {
  if (type === "boolean") return (control as HTMLInputElement).checked;
  if (control.value.trim() === "") return undefined;
  return type === "number" ? Number(control.value) : control.value;
}

const leadFields = ["name", "email", "phone"] as const;
const leadInputs = {
  name: { type: "text", autocomplete: "name" },
  email: { type: "email", autocomplete: "email" },
  phone: { type: "tel", autocomplete: "tel" },
} as const;

/** Asks who writes, before the first message. `onSend` rejects with a sentence. */
export function leadForm(leads: NonNullable<ChatConfig["leads"]>, onSend: (lead: Lead) => Promise<void>): HTMLElement {
  const asked = leadFields.filter((name) => leads[name]);
  const inputs = asked.map((name) => element("input", { ...leadInputs[name], name, class: "input", required: true }));
  const problem = element("p", { class: "error", role: "alert" });
  const button = element("button", { type: "submit", class: "button primary" }, strings.leadSend);
  const send = async () => {
    button.disabled = true;
    problem.textContent = "";
    try {
      await onSend(Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()])));
    } catch (error) {
      problem.textContent = (error instanceof Error && error.name === "Error" && error.message) || strings.failed;
      button.disabled = false;
    }
  };
  return element(
    "form",
    {
      class: "card",
      submit(event) {
        event.preventDefault();
        void send();
      },
    },
    element("h2", {}, leads.title || strings.leadTitle),
    ...inputs.map((input, index) => labelled(strings.leadFields[asked[index] ?? "name"], input, false)),
    problem,
    element("div", {}, button),
  );
}
