import type { Json, JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  type ActionRequest,
  bodyOf,
  choice,
  count,
  defineVendor,
  flag,
  listOf,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";
import { itemsAt, pick, type Shape, showItem, showList, textAt, valueAt } from "./vendor-answer.ts";

const ticketId = count("Id of the ticket.", 9_007_199_254_740_990);
const page = count("Which part of the list. Default 1.", 100);
const priority = choice("How urgent it is.", ["urgent", "high", "normal", "low"]);
const body = (what: string) => text(what, 60_000);

const ticketShape: Shape = {
  id: "id",
  subject: "subject",
  status: "status",
  priority: "priority",
  requesterId: "requester_id",
  assigneeId: "assignee_id",
  tags: "tags",
  created: "created_at",
  updated: "updated_at",
};
const showTicket = (answer: Json) => showItem(valueAt(answer, "ticket"), ticketShape);

const ticketOf = (args: ActionArguments) => `/api/v2/tickets/${segment(args.ticketId)}`;
const change = (args: ActionArguments, ticket: JsonObject): ActionRequest => ({
  method: "PUT",
  path: `${ticketOf(args)}.json`,
  body: { ticket },
});

/** The comments with the names of those who wrote them, who stand beside them in the answer. */
function toComments(answer: Json | undefined): JsonObject[] {
  const names = new Map(itemsAt(answer, "users")?.map((user) => [textAt(user, "id"), textAt(user, "name") ?? ""]));
  const comments = itemsAt(answer, "comments") ?? [];
  return comments.map((comment) => ({
    ...bodyOf({ by: names.get(textAt(comment, "author_id")) ?? textAt(comment, "author_id") }),
    ...pick(comment, { isPublic: "public", created: "created_at", text: ["plain_body", 3_000] }),
  }));
}

const actions: Record<string, VendorAction> = {
  searchTickets: {
    description: "Searches for tickets, newest changes first.",
    effect: "read",
    parameters: {
      query: text("A search such as printer status<solved priority:high requester:ana@example.org.", 1_000),
      limit: count("How many to list. Default 20.", 50),
      page,
    },
    required: ["query"],
    toRequest: ({ query, limit = 20, page: at }) => ({
      method: "GET",
      path: "/api/v2/search.json",
      query: { query: `type:ticket ${query}`, sort_by: "updated_at", sort_order: "desc", per_page: limit, page: at },
    }),
    toText: (answer) => showList(answer, { items: "results", shape: ticketShape, beside: { total: "count" } }),
  },
  getTicket: {
    description: "Reads a ticket with its comments, oldest first.",
    effect: "read",
    parameters: { ticketId, page: count("Which fifty of the comments. Default 1.", 100) },
    required: ["ticketId"],
    toRequest: (args) => ({ method: "GET", path: `${ticketOf(args)}.json` }),
    toNext: (_ticket, args) => ({
      method: "GET",
      path: `${ticketOf(args)}/comments.json`,
      query: { include: "users", per_page: 50, page: args.page },
    }),
    toText: (answer, { next }) => {
      const ticket = pick(valueAt(answer, "ticket"), ticketShape);
      if (Object.keys(ticket).length === 0) return undefined;
      return JSON.stringify({ ...ticket, ...pick(next, { commentCount: "count" }), comments: toComments(next) });
    },
  },
  createTicket: {
    description: "Creates a ticket.",
    effect: "write",
    isIdempotent: true,
    parameters: {
      subject: text("The subject, in one line.", 150),
      body: body("The first comment, which the requester sees."),
      priority,
      requesterName: text("Name of the person it is for. Default the account of the credential.", 255),
      requesterEmail: text("Mail address of the person it is for.", 320),
      tags: text("Tags, with commas between them.", 500),
    },
    required: ["subject", "body"],
    toRequest: ({ subject, body: comment, priority: urgency, requesterName, requesterEmail, tags }) => {
      const requester = bodyOf({ name: requesterName ?? requesterEmail, email: requesterEmail });
      const ticket = bodyOf({
        subject,
        comment: bodyOf({ body: comment }),
        priority: urgency,
        requester: requesterEmail === undefined ? undefined : requester,
        tags: tags === undefined ? undefined : listOf(tags),
      });
      return { method: "POST", path: "/api/v2/tickets.json", body: { ticket } };
    },
    toText: showTicket,
  },
  addComment: {
    description: "Adds a comment to a ticket: a note for agents, or an answer that the requester gets.",
    effect: "write",
    parameters: {
      ticketId,
      body: body("The comment."),
      isPublic: flag("Whether the requester gets it. Default no."),
    },
    required: ["ticketId", "body"],
    toRequest: ({ body: comment, isPublic = false, ...args }) =>
      change(args, { comment: bodyOf({ body: comment, public: isPublic }) }),
    toText: showTicket,
  },
  changeStatus: {
    description: "Changes the status of a ticket.",
    effect: "write",
    parameters: { ticketId, status: choice("The new status.", ["open", "pending", "hold", "solved"]) },
    required: ["ticketId", "status"],
    toRequest: ({ status, ...args }) => change(args, bodyOf({ status })),
    toText: showTicket,
  },
};

/** Tickets of an account. Source: developer.zendesk.com/api-reference/ticketing. */
export const zendesk = defineVendor({
  type: "zendesk",
  title: "Zendesk",
  summary: "Finds, reads and creates tickets, comments on them and changes their status.",
  icon: "toolkit",
  prefix: "zendesk",
  address: { example: "https://your-company.zendesk.com" },
  signIn: withHeadersOf("a Zendesk credential with an e-mail address and an API token"),
  actions,
});
