import type { JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  count,
  defineVendor,
  listOf,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { toMimeMessage } from "./mime-message.ts";
import { oAuth } from "./sign-in.ts";

const mine = "/gmail/v1/users/me";

const mail = {
  to: text("Addresses of the recipients, with commas between them."),
  subject: text("The subject."),
  body: text("The text, plain or as HTML."),
  cc: text("Addresses that get a copy."),
  bcc: text("Addresses that get a copy unseen by the others."),
};
const mailNeeds = ["to", "subject", "body"];
const labels = {
  addLabelIds: text("Ids of labels to add, with commas between them."),
  removeLabelIds: text("Ids of labels to remove, with commas between them."),
};
const label = {
  labelName: text("Name of the label."),
  labelColor: text("Its background colour, such as #16a766."),
};
const messageId = text("Id of the message.");
const threadId = text("Id of the conversation.");
const draftId = text("Id of the draft.");
const labelId = text("Id of the label.");
const maxResults = count("How many to list.", 500);
const query = text("What to search for, as in Gmail's search field.");

function toMail(args: ActionArguments): JsonObject {
  const read = (key: string) => String(args[key] ?? "");
  const [to, subject, body, cc, bcc] = [read("to"), read("subject"), read("body"), read("cc"), read("bcc")];
  return { raw: toMimeMessage({ to, subject, body, cc, bcc }) };
}

function toLabels({ addLabelIds, removeLabelIds }: ActionArguments): JsonObject {
  return { addLabelIds: listOf(addLabelIds), removeLabelIds: listOf(removeLabelIds) };
}

/** Gmail pairs the background with the text's colour. */
function toLabel({ labelName, labelColor }: ActionArguments): JsonObject {
  return {
    ...(labelName !== undefined && { name: labelName }),
    ...(labelColor !== undefined &&
      labelColor !== "" && { color: { backgroundColor: labelColor, textColor: "#000000" } }),
  };
}

/** Actions on individual messages or conversations. */
function itemActions(what: "message" | "thread", key: "messageId" | "threadId"): Record<string, VendorAction> {
  const [noun, title, id] =
    what === "message" ? ["message", "Message", messageId] : ["conversation", "Thread", threadId];
  const path = (args: ActionArguments) => `${mine}/${what}s/${segment(args[key])}`;
  const own = { parameters: { [key]: id }, required: [key] };
  return {
    [`list${title}s`]: {
      description: `Lists ${noun}s, newest first.`,
      effect: "read",
      parameters: { query, maxResults },
      required: [],
      toRequest: ({ query: q, maxResults: most = 10 }) => ({
        method: "GET",
        path: `${mine}/${what}s`,
        query: { q, maxResults: most },
      }),
    },
    [`get${title}`]: {
      ...own,
      description: `Reads a ${noun}.`,
      effect: "read",
      toRequest: (args) => ({ method: "GET", path: path(args), query: { format: "full" } }),
    },
    [`modify${title}`]: {
      description: `Adds labels to a ${noun}, or removes them.`,
      effect: "write",
      parameters: { ...own.parameters, ...labels },
      required: [key],
      toRequest: (args) => ({ method: "POST", path: `${path(args)}/modify`, body: toLabels(args) }),
    },
    [`trash${title}`]: {
      ...own,
      description: `Moves a ${noun} to the trash.`,
      effect: "destructive",
      toRequest: (args) => ({ method: "POST", path: `${path(args)}/trash` }),
    },
    [`untrash${title}`]: {
      ...own,
      description: `Takes a ${noun} out of the trash.`,
      effect: "write",
      toRequest: (args) => ({ method: "POST", path: `${path(args)}/untrash` }),
    },
    [`delete${title}`]: {
      ...own,
      description: `Deletes a ${noun} for good.`,
      effect: "destructive",
      toRequest: (args) => ({ method: "DELETE", path: path(args) }),
    },
  };
}

const drafts: Record<string, VendorAction> = {
  listDrafts: {
    description: "Lists drafts.",
    effect: "read",
    parameters: { maxResults },
    required: [],
    toRequest: ({ maxResults: most = 10 }) => ({ method: "GET", path: `${mine}/drafts`, query: { maxResults: most } }),
  },
  createDraft: {
    description: "Writes a draft of a mail, which is not sent.",
    effect: "write",
    parameters: mail,
    required: mailNeeds,
    toRequest: (args) => ({ method: "POST", path: `${mine}/drafts`, body: { message: toMail(args) } }),
  },
  getDraft: {
    description: "Reads a draft.",
    effect: "read",
    parameters: { draftId },
    required: ["draftId"],
    toRequest: (args) => ({ method: "GET", path: `${mine}/drafts/${segment(args.draftId)}` }),
  },
  updateDraft: {
    description: "Replaces the content of a draft.",
    effect: "write",
    parameters: { draftId, ...mail },
    required: ["draftId", ...mailNeeds],
    toRequest: (args) => ({
      method: "PUT",
      path: `${mine}/drafts/${segment(args.draftId)}`,
      body: { message: toMail(args) },
    }),
  },
  sendDraft: {
    description: "Sends a draft.",
    effect: "write",
    parameters: { draftId },
    required: ["draftId"],
    toRequest: (args) => ({ method: "POST", path: `${mine}/drafts/send`, body: { id: String(args.draftId) } }),
  },
  deleteDraft: {
    description: "Deletes a draft for good.",
    effect: "destructive",
    parameters: { draftId },
    required: ["draftId"],
    toRequest: (args) => ({ method: "DELETE", path: `${mine}/drafts/${segment(args.draftId)}` }),
  },
};

const labelActions: Record<string, VendorAction> = {
  listLabels: {
    description: "Lists the labels with their ids.",
    effect: "read",
    parameters: {},
    required: [],
    toRequest: () => ({ method: "GET", path: `${mine}/labels` }),
  },
  getLabel: {
    description: "Reads a label, with how many messages have it.",
    effect: "read",
    parameters: { labelId },
    required: ["labelId"],
    toRequest: (args) => ({ method: "GET", path: `${mine}/labels/${segment(args.labelId)}` }),
  },
  createLabel: {
    description: "Makes a label.",
    effect: "write",
    parameters: label,
    required: ["labelName"],
    toRequest: (args) => ({ method: "POST", path: `${mine}/labels`, body: toLabel(args) }),
  },
  updateLabel: {
    description: "Changes the name or the colour of a label.",
    effect: "write",
    parameters: { labelId, ...label },
    required: ["labelId"],
    toRequest: (args) => ({ method: "PATCH", path: `${mine}/labels/${segment(args.labelId)}`, body: toLabel(args) }),
  },
  deleteLabel: {
    description: "Deletes a label; its messages stay.",
    effect: "destructive",
    parameters: { labelId },
    required: ["labelId"],
    toRequest: (args) => ({ method: "DELETE", path: `${mine}/labels/${segment(args.labelId)}` }),
  },
};

/** A person's mail. Source: developers.google.com/workspace/gmail/api/reference/rest. */
export const gmail = defineVendor({
  type: "gmail",
  title: "Gmail",
  summary: "Reads, writes and sends mails.",
  icon: "message",
  prefix: "gmail",
  address: { url: "https://gmail.googleapis.com" },
  signIn: oAuth("gmailOAuth2", "https://oauth2.googleapis.com/token"),
  actions: {
    sendMessage: {
      description: "Sends a mail.",
      effect: "write",
      parameters: mail,
      required: mailNeeds,
      toRequest: (args) => ({ method: "POST", path: `${mine}/messages/send`, body: toMail(args) }),
    },
    ...itemActions("message", "messageId"),
    ...drafts,
    ...labelActions,
    ...itemActions("thread", "threadId"),
  },
});
