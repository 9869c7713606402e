import { defineRoute, ifFound, type Route } from "@weft/http";
import { streamWork } from "@weft/http/event-stream";
import {
  storeCheckSchema,
  storeCheckSettingsSchema,
  storeEvaluationDetailSchema,
  storeEvaluationParamsSchema,
  storeEvaluationRequestSchema,
  storeEvaluationSchema,
  storeQuestionImportResultSchema,
  storeQuestionImportSchema,
  storeQuestionInputSchema,
  storeQuestionParamsSchema,
  storeQuestionSchema,
  storeQuestionUpdateSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import type { Questions } from "./create-questions.ts";
import type { StoreChecks } from "./store-checks.ts";

const tag = "Document stores";
const base = "/api/v1/document-store/store/{id}";
const idParams = z.object({ id: uuidSchema });
const reading = { tag, permission: "document-stores:read" } as const;
const writing = { tag, permission: "document-stores:write" } as const;

export function questionRoutes(questions: Questions, checks: StoreChecks): Route[] {
  return [
    ...listRoutes(questions),
    ...changeRoutes(questions),
    ...fileRoutes(questions),
    ...evaluationRoutes(questions),
    ...checkRoutes(checks),
  ];
}

function listRoutes(questions: Questions): Route[] {
  return [
    defineRoute({
      ...reading,
      method: "GET",
      path: `${base}/questions`,
      operationId: "listStoreQuestions",
      summary: "List the questions of a document store, oldest first",
      params: idParams,
      returns: { schema: z.array(storeQuestionSchema) },
      errors: [400, 404],
      handle: ({ params }) => questions.list(params.id),
    }),
    defineRoute({
      ...writing,
      method: "POST",
      path: `${base}/questions`,
      operationId: "addStoreQuestion",
      summary: "Add a question with what it should find",
      params: idParams,
      body: storeQuestionInputSchema,
      returns: { schema: storeQuestionSchema },
      recall: (id, { params }) => ifFound(questions.get(params.id, id)),
      errors: [400, 404, 409, 422],
      handle: ({ params, body, newId }) => questions.add(params.id, body, newId),
    }),
  ];
}

function changeRoutes(questions: Questions): Route[] {
  return [
    defineRoute({
      ...writing,
      method: "PUT",
      path: `${base}/questions/{questionId}`,
      operationId: "updateStoreQuestion",
      summary: "Change a question of a document store",
      params: storeQuestionParamsSchema,
      body: storeQuestionUpdateSchema,
      returns: { schema: storeQuestionSchema },
      errors: [400, 404],
      handle: ({ params, body }) => questions.change(params.id, params.questionId, body),
    }),
    defineRoute({
      ...writing,
      method: "DELETE",
      path: `${base}/questions/{questionId}`,
      operationId: "deleteStoreQuestion",
      summary: "Delete a question of a document store",
      params: storeQuestionParamsSchema,
      returns: null,
      errors: [400, 404],
      handle: ({ params }) => questions.remove(params.id, params.questionId),
    }),
  ];
}

function fileRoutes(questions: Questions): Route[] {
  return [
    defineRoute({
      ...reading,
      method: "GET",
      path: `${base}/question-file`,
      operationId: "exportStoreQuestions",
      summary: "Export the questions as the YAML file that `retrieve-eval` reads",
      params: idParams,
      returns: { schema: z.string(), contentType: "text/yaml" },
      errors: [400, 404],
      handle: ({ params }) => questions.exportFile(params.id),
    }),
    defineRoute({
      ...writing,
      method: "POST",
      path: `${base}/question-file`,
      operationId: "importStoreQuestions",
      summary: "Add the questions of a file that `retrieve-eval` reads, YAML or JSON",
      description: "Questions that the store has already are skipped.",
      params: idParams,
      body: storeQuestionImportSchema,
      returns: { schema: storeQuestionImportResultSchema },
      errors: [400, 404, 422],
      handle: ({ params, body }) => questions.importFile(params.id, body.text),
    }),
  ];
}

function evaluationRoutes(questions: Questions): Route[] {
  return [
    defineRoute({
      ...reading,
      method: "GET",
      path: `${base}/evaluations`,
      operationId: "listStoreEvaluations",
      summary: "List how well a document store answered its questions, newest first",
      description: "The newest 200 are kept.",
      params: idParams,
      returns: { schema: z.array(storeEvaluationSchema) },
      errors: [400, 404],
      handle: ({ params }) => questions.evaluations(params.id),
    }),
    defineRoute({
      ...reading,
      method: "GET",
      path: `${base}/evaluations/{evaluationId}`,
      operationId: "getStoreEvaluation",
      summary: "Get an evaluation with the outcome of each question",
      description: "Only the newest evaluation keeps its outcomes.",
      params: storeEvaluationParamsSchema,
      returns: { schema: storeEvaluationDetailSchema },
      errors: [400, 404],
      handle: ({ params }) => questions.evaluation(params.id, params.evaluationId),
    }),
    defineRoute({
      ...writing,
      method: "POST",
      path: `${base}/evaluations`,
      operationId: "evaluateStore",
      summary: "Ask all questions of a document store, as a stream of server-sent events",
      description:
        "`progress` events say how many questions of how many were asked. Then comes `evaluation`, which is kept, or `error`. Closing the connection cancels it.",
      params: idParams,
      body: storeEvaluationRequestSchema,
      returns: { schema: z.string(), contentType: "text/event-stream" },
      errors: [400, 404],
      handle: ({ params, body, signal }) => streamEvaluation(questions, params.id, { mode: body.mode, signal }),
    }),
  ];
}

function checkRoutes(checks: StoreChecks): Route[] {
  const path = `${base}/evaluation-settings`;
  return [
    defineRoute({
      ...reading,
      method: "GET",
      path,
      operationId: "getStoreCheck",
      summary: "Get whether the questions of a document store are checked after every upsert",
      params: idParams,
      returns: { schema: storeCheckSchema },
      errors: [400, 404],
      handle: ({ params }) => checks.read(params.id),
    }),
    defineRoute({
      ...writing,
      method: "PUT",
      path,
      operationId: "updateStoreCheck",
      summary: "Turn the check of a document store's questions after every upsert on or off",
      description:
        "Once no upsert of the store is under way, all questions are asked, and the evaluation is listed with the cause `indexing`. Several upserts in a row are checked once. Turning it off gives up a check that is waiting or running.",
      params: idParams,
      body: storeCheckSettingsSchema,
      returns: { schema: storeCheckSchema },
      errors: [400, 404],
      handle: ({ params, body }) => checks.change(params.id, body),
    }),
  ];
}

type Evaluating = Parameters<Questions["evaluate"]>[1];

/** Rejects, before anything is sent, for an unknown store or one without questions. */
async function streamEvaluation(
  questions: Questions,
  storeId: string,
  { mode, signal }: Evaluating,
): Promise<Response> {
  await questions.assertAny(storeId);
  return streamWork({
    id: storeId,
    signal,
    async run(send, running) {
      const onProgress = (done: number, total: number) => send("progress", { done, total });
      send("evaluation", await questions.evaluate(storeId, { mode, onProgress, signal: running }));
    },
  });
}
