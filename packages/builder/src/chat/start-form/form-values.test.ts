import assert from "node:assert/strict";
import { it } from "node:test";
import type { StartForm } from "@weft/client";
import { formText, initialValues, missingFields, toFormBody } from "./start-form-view.tsx";

const field = (name: string, type: StartForm["fields"][number]["type"], more: object = {}) => ({
  name,
  label: "",
  type,
  options: [],
  required: false,
  ...more,
});
const form: StartForm = {
  title: "Book",
  description: "",
  fields: [
    field("who", "string", { label: "Name", required: true }),
    field("guests", "number", { default: 2 }),
    field("veg", "boolean", { default: "true" }),
    field("meal", "options", { options: ["Soup"], required: true }),
  ],
};

it("a form begins with its defaults, says what is missing, and sends what is filled in", () => {
  const values = initialValues(form);
  assert.deepEqual(values, { who: "", guests: 2, veg: true, meal: "" });
  assert.deepEqual(missingFields(form, { ...values, who: "  " }), ["who", "meal"]);
  const filled = { ...values, who: "Ada", guests: "", meal: "Soup" };
  assert.deepEqual(missingFields(form, filled), []);
  assert.deepEqual(toFormBody(form, filled), { who: "Ada", veg: true, meal: "Soup" });
  assert.equal(formText(form, filled), "Name: Ada\nveg: true\nmeal: Soup");
});
