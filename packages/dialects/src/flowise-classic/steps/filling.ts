import { toSearch, toStorePath, toStores } from "../stores.ts";
import { question } from "./chains.ts";
import { addStep, dataStep, type StepConverter } from "./step.ts";

/**
 * A store at the end of a chatflow that only fills it: an upsert asked of the agent does that here, too, and a question
 * is answered with the passages that it finds.
 */
export const filling: StepConverter = {
  draw(scope) {
    const { report } = scope;
    report.warn(
      "flow-only-fills",
      "This flow fills its store and answers nothing. Send it upserts as before; a question is answered with the passages found.",
    );
    const stores = toStores([toSearch(scope, toStorePath(0))], report);
    const config = { ...stores, query: question, format: "text", returnSourceDocuments: true };
    return dataStep(addStep(scope, { type: "retriever", config }), "documents");
  },
};
