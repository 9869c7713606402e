import { exitsBefore, type StepValue } from "../scope.ts";
import { toSearch, toStorePath, toStores } from "../stores.ts";
import { question } from "./chains.ts";
import { addStep, type DrawnStep, dataStep, type StepConverter } from "./step.ts";

/** A name for a value. It is read where the value is: nothing is to be done in the run. */
const setVariable: StepConverter = {
  worksBefore: () => true,
  draw(scope) {
    const { node, settings, report, conversion } = scope;
    settings.text("variableName");
    if (settings.flag("showOutput")) {
      report.warn("variable-shown", "Its value is not listed in answers. Read it from the run's steps.");
    }
    const [source] = scope.parts("input");
    const known = source && conversion.values.get(source.node.id);
    const text = settings.template("input");
    const exits = exitsBefore(conversion, node);
    return { exits, value: known && isReference(node.inputs.input) ? known : () => text };
  },
};

function isReference(value: unknown): boolean {
  return typeof value === "string" && /^\s*\{\{[^{}]*\.data\.instance\s*\}\}\s*$/.test(value);
}

const getVariable: StepConverter = {
  worksBefore: () => true,
  draw(scope) {
    const { node, settings, report, conversion } = scope;
    const name = settings.text("variableName");
    const setters = conversion.graph.before(node).filter((one) => one.inputs.variableName === name);
    const known = setters.map(({ id }) => conversion.values.get(id)).findLast((value) => value !== undefined);
    if (known === undefined) {
      report.warn(
        "variable-unset",
        `Nothing sets the variable ${name.slice(0, 100)} before it is read, so that it is empty. Set it, or correct its name.`,
      );
    }
    const value: StepValue = known ?? (() => "");
    return { exits: exitsBefore(conversion, node), value };
  },
};

/** A retriever whose passages are read as text, or as documents. */
export const search: StepConverter = {
  worksBefore: ({ output }) => output === "text" || output === "document",
  draw(scope): DrawnStep {
    const query = scope.settings.template("query") || question;
    const stores = toStores([toSearch(scope, toStorePath(0))], scope.report);
    const config = { ...stores, query, format: "text", returnSourceDocuments: false };
    return dataStep(addStep(scope, { type: "retriever", config }), "documents");
  },
};

export const variables: Readonly<Record<string, StepConverter>> = { setVariable, getVariable };
