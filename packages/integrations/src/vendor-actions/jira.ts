import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  bodyOf,
  count,
  defineVendor,
  listOf,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";

const issueKey = text("Key of the issue, such as OPS-12.");
const commentIssueKey = text("Key of the issue that the comment belongs to, such as OPS-12.");
const commentId = text("Id of the comment.");
const commentText = text("The comment. Empty lines separate paragraphs.");
const accountId = text("Account id of the person, as search_users lists it.");
const maxResults = count("How many to list. Default 50.", 100);
const issueFields = {
  issueSummary: text("The summary, in one line."),
  issueDescription: text("The description. Empty lines separate paragraphs."),
  issuePriority: text("Name of the priority, such as High."),
  assigneeAccountId: text("Account id of the person who is to do it, as search_users lists it."),
};

const issueOf = (args: ActionArguments) => `/rest/api/3/issue/${segment(args.issueKey)}`;
const commentsOf = (args: ActionArguments) => `/rest/api/3/issue/${segment(args.commentIssueKey)}/comment`;
const commentOf = (args: ActionArguments) => `${commentsOf(args)}/${segment(args.commentId)}`;

/** The fields read of an issue; custom fields are left out. */
const shown =
  "summary,description,status,issuetype,priority,assignee,reporter,project,labels,created,updated,duedate,parent";

function toFields(args: ActionArguments): JsonObject {
  const { issueSummary, issueDescription, issuePriority, assigneeAccountId } = args;
  return bodyOf({
    summary: issueSummary,
    description: issueDescription ? toDocument(String(issueDescription)) : undefined,
    priority: issuePriority ? { name: issuePriority } : undefined,
    assignee: assigneeAccountId ? { id: assigneeAccountId } : undefined,
  });
}

const noise = new Set(["self", "expand", "avatarUrls", "avatarId", "iconUrl", "jsdPublic", "hasScreen"]);

/** Converts documents to text, and removes what no reader needs. */
function shorten(value: Json): Json {
  if (isDocument(value)) return fromDocument(value);
  if (Array.isArray(value)) return value.map(shorten);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key, item]) => item !== null && !noise.has(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, shorten(item)]));
}

const toText = (answer: Json) => JSON.stringify(shorten(answer));

/** A quoted JQL string. */
function quote(value: Json): string {
  return `"${String(value).replaceAll(/[\\"]/g, "\\$&")}"`;
}

/** Jira rejects unbounded searches, so a request for everything becomes this month's changes. */
function toQuery({ jqlQuery, projectKey }: ActionArguments): string {
  const given = String(jqlQuery ?? "").trim();
  const project = projectKey ? `project = ${quote(projectKey)}` : "";
  if (given === "") return `${project || "updated >= -30d"} ORDER BY updated DESC`;
  if (project === "" || /\bproject\b/i.test(given)) return given;
  const [, condition = "", order = ""] = /^(.*?)(\border\s+by\b.*)?$/is.exec(given) ?? [];
  return [project, condition.trim() && `AND (${condition.trim()})`, order].filter((part) => part !== "").join(" ");
}

const issues: Record<string, VendorAction> = {
  listIssues: {
    description: "Searches for issues.",
    effect: "read",
    parameters: {
      jqlQuery: text('A query of JQL, such as status = "In Progress" ORDER BY priority. Default the newest changes.'),
      projectKey: text("Key of the project to search, such as OPS."),
      maxResults,
    },
    required: [],
    toRequest: ({ maxResults: most = 50, ...args }) => ({
      method: "GET",
      path: "/rest/api/3/search/jql",
      query: { jql: toQuery(args), maxResults: most, fields: shown },
    }),
    toText,
  },
  createIssue: {
    description: "Creates an issue.",
    effect: "write",
    parameters: {
      projectKey: text("Key of the project, such as OPS."),
      issueType: text("Name of the type, such as Task or Bug."),
      ...issueFields,
    },
    required: ["projectKey", "issueType", "issueSummary"],
    toRequest: ({ projectKey = "", issueType = "", ...args }) => ({
      method: "POST",
      path: "/rest/api/3/issue",
      body: { fields: { project: { key: projectKey }, issuetype: { name: issueType }, ...toFields(args) } },
    }),
  },
  getIssue: {
    description: "Reads an issue, with the transitions that it can take.",
    effect: "read",
    parameters: { issueKey },
    required: ["issueKey"],
    toRequest: (args) => ({ method: "GET", path: issueOf(args), query: { fields: shown, expand: "transitions" } }),
    toText,
  },
  updateIssue: {
    description: "Changes what is given of an issue.",
    effect: "write",
    parameters: { issueKey, ...issueFields },
    required: ["issueKey"],
    toRequest: (args) => ({ method: "PUT", path: issueOf(args), body: { fields: toFields(args) } }),
  },
  deleteIssue: {
    description: "Deletes an issue for good.",
    effect: "destructive",
    parameters: { issueKey },
    required: ["issueKey"],
    toRequest: (args) => ({ method: "DELETE", path: issueOf(args) }),
  },
  assignIssue: {
    description: "Gives an issue to a person.",
    effect: "write",
    parameters: { issueKey, assigneeAccountId: issueFields.assigneeAccountId },
    required: ["issueKey", "assigneeAccountId"],
    toRequest: (args) => ({
      method: "PUT",
      path: `${issueOf(args)}/assignee`,
      body: bodyOf({ accountId: args.assigneeAccountId }),
    }),
  },
  transitionIssue: {
    description: "Takes an issue to another status.",
    effect: "write",
    parameters: { issueKey, transitionId: text("Id of the transition, as get_issue lists it.") },
    required: ["issueKey", "transitionId"],
    toRequest: (args) => ({
      method: "POST",
      path: `${issueOf(args)}/transitions`,
      body: { transition: bodyOf({ id: args.transitionId }) },
    }),
  },
};

const comments: Record<string, VendorAction> = {
  listComments: {
    description: "Lists the comments of an issue, newest first.",
    effect: "read",
    parameters: { commentIssueKey },
    required: ["commentIssueKey"],
    toRequest: (args) => ({
      method: "GET",
      path: commentsOf(args),
      query: { orderBy: "-created", maxResults: 50 },
    }),
    toText,
  },
  createComment: {
    description: "Writes a comment.",
    effect: "write",
    parameters: { commentIssueKey, commentText },
    required: ["commentIssueKey", "commentText"],
    toRequest: (args) => ({
      method: "POST",
      path: commentsOf(args),
      body: { body: toDocument(String(args.commentText)) },
    }),
    toText,
  },
  getComment: {
    description: "Reads a comment.",
    effect: "read",
    parameters: { commentIssueKey, commentId },
    required: ["commentIssueKey", "commentId"],
    toRequest: (args) => ({ method: "GET", path: commentOf(args) }),
    toText,
  },
  updateComment: {
    description: "Replaces the text of a comment.",
    effect: "write",
    parameters: { commentIssueKey, commentId, commentText },
    required: ["commentIssueKey", "commentId", "commentText"],
    toRequest: (args) => ({
      method: "PUT",
      path: commentOf(args),
      body: { body: toDocument(String(args.commentText)) },
    }),
    toText,
  },
  deleteComment: {
    description: "Deletes a comment for good.",
    effect: "destructive",
    parameters: { commentIssueKey, commentId },
    required: ["commentIssueKey", "commentId"],
    toRequest: (args) => ({ method: "DELETE", path: commentOf(args) }),
  },
};

const users: Record<string, VendorAction> = {
  searchUsers: {
    description: "Searches for people by their names or addresses.",
    effect: "read",
    parameters: { userQuery: text("The beginning of a name or address."), maxResults },
    required: ["userQuery"],
    toRequest: ({ userQuery: query, maxResults: most = 50 }) => ({
      method: "GET",
      path: "/rest/api/3/user/search",
      query: { query, maxResults: most },
    }),
    toText,
  },
  getUser: {
    description: "Reads who a person is.",
    effect: "read",
    parameters: { userAccountId: accountId },
    required: ["userAccountId"],
    toRequest: (args) => ({ method: "GET", path: "/rest/api/3/user", query: { accountId: args.userAccountId } }),
    toText,
  },
  createUser: {
    description: "Invites a person to Jira.",
    effect: "write",
    parameters: {
      userEmail: text("Mail address of the person."),
      products: text("Products that the person may use, with commas between them. Default jira-software."),
    },
    required: ["userEmail"],
    toRequest: ({ userEmail, products = "jira-software" }) => ({
      method: "POST",
      path: "/rest/api/3/user",
      body: bodyOf({ emailAddress: userEmail, products: listOf(products) }),
    }),
    toText,
  },
  deleteUser: {
    description: "Takes a person out of Jira.",
    effect: "destructive",
    parameters: { userAccountId: accountId },
    required: ["userAccountId"],
    toRequest: (args) => ({ method: "DELETE", path: "/rest/api/3/user", query: { accountId: args.userAccountId } }),
  },
};

/** Issues of a site. Source: developer.atlassian.com/cloud/jira/platform/rest/v3. */
export const jira = defineVendor({
  type: "jira",
  title: "Jira",
  summary: "Finds, creates and changes issues and their comments.",
  icon: "toolkit",
  prefix: "jira",
  address: { example: "https://your-site.atlassian.net" },
  signIn: withHeadersOf("a Jira credential with an e-mail address and an API token, or with a bearer token"),
  actions: { ...issues, ...comments, ...users },
});

/**
 * Converts text to a document: paragraphs are separated by empty lines. Source: developer.atlassian.com, Atlassian
 * Document Format.
 */
export function toDocument(text: string): JsonObject {
  const paragraphs = text.split(/\r?\n(?:[ \t]*\r?\n)+/).filter((paragraph) => paragraph.trim() !== "");
  return { type: "doc", version: 1, content: paragraphs.map(toParagraph) };
}

/** Text nodes must not be empty. */
function toParagraph(paragraph: string): JsonObject {
  const lines = paragraph.split(/\r?\n/).map((line) => (line === "" ? [] : [{ type: "text", text: line }]));
  const content = lines.flatMap((line, at) => (at === 0 ? line : [{ type: "hardBreak" }, ...line]));
  return { type: "paragraph", content };
}

function isDocument(value: Json): value is JsonObject & { content: Json[] } {
  return isJsonObject(value) && value.type === "doc" && Array.isArray(value.content);
}

const inline = new Set<Json | undefined>(["text", "hardBreak", "mention", "emoji", "inlineCard", "date", "status"]);

/** The texts of a document, one line per block. */
function fromDocument({ content }: { content: Json[] }): string {
  return textOf(content)
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function textOf(nodes: Json | undefined): string {
  if (!Array.isArray(nodes)) return "";
  return nodes.filter(isJsonObject).map(nodeText).join("");
}

function nodeText({ type, text, attrs, content }: JsonObject): string {
  if (type === "hardBreak") return "\n";
  if (!inline.has(type)) return `${textOf(content)}\n`;
  const values = isJsonObject(attrs) ? [attrs.text, attrs.shortName, attrs.url] : [];
  return String(text ?? values.find((value) => typeof value === "string") ?? "");
}
