import { type ChatClientAccess, defineRoute, ifFound, type RawRequest, type Route, rawId } from "@weft/http";
import { type Identity, isGranted, type Permission, reachOf, readingReachOf } from "@weft/http/identity";
import {
  endMomentQuerySchema,
  type FeedbackCreate,
  type FeedbackFields,
  feedbackCreateSchema,
  feedbackFieldsSchema,
  feedbackSchema,
  feedbackUpdateSchema,
  momentQuerySchema,
  pageQuerySchema,
  pageSchema,
  uuidSchema,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import type { FeedbackAddress, FeedbackService } from "./feedback.service.ts";

const tag = "Feedback";
const idParams = z.object({ id: uuidSchema });

/** Anonymous callers may leave feedback: this limits what they can make the server read. */
const bodyLimitBytes = 256 * 1_024;

/** Either the fields of a create or the filters of a list. */
const listOrCreateQuery = pageQuerySchema.extend({
  ...feedbackFieldsSchema.shape,
  sortOrder: z.enum(["asc", "desc"]).meta({ default: "asc" }).optional(),
  order: z
    .enum(["ASC", "DESC"])
    .optional()
    .meta({ description: "Same as sortOrder, which takes precedence if both are given." }),
  startDate: momentQuerySchema.optional(),
  endDate: endMomentQuerySchema.optional(),
});

/** Routes of `/feedback` (reference, "Feedback"). */
export function feedbackRoutes(service: FeedbackService): Route[] {
  return [...readRoutes(service), ...writeRoutes(service)];
}

function readRoutes(service: FeedbackService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/feedback/{id}",
      operationId: "listFeedback",
      summary: "List the feedback of an agent, oldest first, or leave feedback",
      description: `${createByGet} To leave feedback, the id is that of the feedback, and the key also needs feedback:write. To list, it is the agent's id; an unknown agent has no feedback.`,
      tag,
      permission: ofMessage(service, "feedback:read"),
      params: z.object({ id: z.string().toLowerCase() }),
      query: listOrCreateQuery,
      takesBodyOnGet: true,
      body: feedbackFieldsSchema.optional(),
      bodyLimitBytes,
      returns: { schema: z.union([z.array(feedbackSchema), pageSchema(feedbackSchema), feedbackSchema]) },
      errors: [400],
      async handle({ method, params, query, body, identity }) {
        const fields = { ...body, ...query };
        if (method !== "HEAD" && isCreate(fields)) {
          assertMayWrite(identity);
          const pathId = parseId(params.id);
          return uncached(await service.create(...asSent(toCreate(fields), { pathId }, identity)));
        }
        const { chatId, startDate, endDate, page, limit, sortOrder, order } = query;
        const direction = sortOrder ?? (order === "DESC" ? "desc" : "asc");
        return service.list(params.id, {
          chatId,
          startDate,
          endDate,
          page,
          limit,
          order: direction,
          reach: readingReachOf(identity),
        });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/feedback",
      operationId: "createFeedbackByGet",
      summary: "Leave feedback on a message",
      description: `${createByGet} Otherwise it returns 400.`,
      tag,
      permission: ofMessage(service, "feedback:write"),
      query: z.object(feedbackFieldsSchema.shape),
      takesBodyOnGet: true,
      body: feedbackFieldsSchema.optional(),
      bodyLimitBytes,
      returns: { schema: feedbackSchema },
      errors: [400],
      async handle({ method, query, body, identity }) {
        const fields = { ...body, ...query };
        if (method !== "HEAD" && isCreate(fields)) {
          return uncached(await service.create(...asSent(toCreate(fields), {}, identity)));
        }
        throw new WeftError("parameters-invalid", { params: { reason: nothingMeant } });
      },
    }),
  ];
}

const createByGet =
  "Leaves feedback only if messageId, rating or content is given in the query or in a JSON body; the query takes precedence. HEAD never leaves feedback.";
const nothingMeant =
  "To list feedback, put the agent's id in the path. To leave feedback, send chatflowid, chatId, messageId and rating.";

function writeRoutes(service: FeedbackService): Route[] {
  const create = {
    method: "POST",
    description:
      "Each message has at most one feedback; creating it again updates it. The agent and chat must be those of the message.",
    tag,
    permission: ofMessage(service, "feedback:write"),
    body: feedbackCreateSchema,
    bodyLimitBytes,
    returns: { schema: feedbackSchema },
    errors: [400, 404, 409],
    recall: (id: string) => ifFound(service.get(id)),
  } as const;
  return [
    defineRoute({
      ...create,
      path: "/api/v1/feedback",
      operationId: "createFeedback",
      summary: "Leave feedback on a message",
      handle: ({ body, newId, identity }) => service.create(...asSent(body, { newId }, identity)),
    }),
    defineRoute({
      ...create,
      path: "/api/v1/feedback/{id}",
      operationId: "createFeedbackWithId",
      summary: "Leave feedback on a message, using its own id or the agent's id",
      params: idParams,
      handle: ({ params, body, newId, identity }) =>
        service.create(...asSent(body, { pathId: params.id, newId }, identity)),
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/feedback/{id}",
      operationId: "updateFeedback",
      summary: "Change the rating or the content of feedback",
      description: "Omitted fields keep their values.",
      tag,
      permission: {
        permission: "feedback:write",
        agentOf: async ({ params }) => agentOfFeedback(service, rawId(params, "id")),
        counts: "write",
      },
      params: idParams,
      body: feedbackUpdateSchema,
      bodyLimitBytes,
      returns: { schema: feedbackSchema },
      errors: [400, 404, 412],
      handle: ({ params, body, identity, assertMatches }) =>
        service.update(params.id, body, { reach: reachOf(identity), assertCurrent: assertMatches }),
    }),
  ];
}

/** For chat clients that leave feedback on a message, as the handlers find it: nobody lists without credentials. */
function ofMessage(service: FeedbackService, permission: Permission): ChatClientAccess {
  async function agentOf({ method, query, body }: RawRequest) {
    if (method === "HEAD") return undefined;
    const inQuery = method === "GET" ? rawId(query, "messageId") : undefined;
    const messageId = inQuery ?? rawId(await body(), "messageId");
    return messageId === undefined ? undefined : service.agentOf(messageId);
  }
  return { permission, agentOf, counts: "write" };
}

async function agentOfFeedback(service: FeedbackService, id: string | undefined): Promise<string | undefined> {
  const feedback = id === undefined ? undefined : await ifFound(service.get(id));
  return feedback && service.agentOf(feedback.messageId);
}

/** A visitor chooses no id: whose it would be, others could not know. */
function asSent(
  body: FeedbackCreate,
  address: Omit<FeedbackAddress, "reach">,
  identity: Identity | undefined,
): [FeedbackCreate, FeedbackAddress] {
  const reach = reachOf(identity);
  if (identity === undefined)
    return [
      { ...body, id: undefined },
      { newId: address.newId, reach },
    ];
  return [body, { ...address, reach }];
}

/** Listing asks for less than leaving feedback. Who is unknown was let in for this very request. */
function assertMayWrite(identity: Identity | undefined): void {
  if (identity === undefined || isGranted(identity.grants, "feedback:write")) return;
  throw new WeftError("forbidden", { params: { permission: "feedback:write" } });
}

function isCreate({ messageId, rating, content }: FeedbackFields): boolean {
  return messageId !== undefined || rating !== undefined || content !== undefined;
}

const required = ["chatflowid", "chatId", "messageId", "rating"] as const;

function toCreate(fields: FeedbackFields): FeedbackCreate {
  const missing = required.filter((name) => fields[name] === undefined);
  if (missing.length === 0) return feedbackCreateSchema.parse(fields);
  throw new WeftError("parameters-invalid", {
    params: { reason: `Feedback needs ${required.join(", ")}. Missing here: ${missing.join(", ")}.` },
    errors: missing.map((path) => ({ path, message: "is required" })),
  });
}

function parseId(value: string): string {
  const parsed = uuidSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WeftError("id-invalid", { params: { name: "id", value: value.slice(0, 100) } });
}

/** The response to a GET with side effects. */
function uncached(feedback: z.infer<typeof feedbackSchema>): Response {
  return Response.json(feedbackSchema.parse(feedback), { headers: { "Cache-Control": "no-store" } });
}
