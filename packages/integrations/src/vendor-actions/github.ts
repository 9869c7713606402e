import { Buffer } from "node:buffer";
import type { Json } from "@weft/schema";
import {
  type ActionArguments,
  type ActionRequest,
  ArgumentError,
  bodyOf,
  choice,
  count,
  defineVendor,
  listOf,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";
import { itemsAt, pick, type Shape, showItem, showList, textAt, valueAt } from "./vendor-answer.ts";

const repository = text("The repository, as owner/name.", 200);
const number = count("Number of the issue or pull request.", 999_999_999);
const body = (what: string) => text(`${what}, in Markdown.`, 65_000);
const limit = count("How many to list. Default 20.", 50);
const page = count("Which part of the list. Default 1.", 20);

/** Of issues and pull requests. */
const issueShape: Shape = {
  number: "number",
  title: "title",
  state: "state",
  isDraft: "draft",
  by: "user.login",
  assignees: "assignees.*.login",
  labels: "labels.*.name",
  comments: "comments",
  from: "head.ref",
  into: "base.ref",
  created: "created_at",
  updated: "updated_at",
  url: "html_url",
};
const created: Shape = { number: "number", id: "id", url: "html_url" };

/** Throws `ArgumentError` for anything but an owner and a name. */
function repositoryOf({ repository: given }: ActionArguments): string {
  const [owner, name, ...others] = String(given ?? "").split("/");
  if (others.length > 0 || owner === undefined || name === undefined) {
    throw new ArgumentError("Nothing was called: the repository has to be given as owner/name.");
  }
  return `/repos/${segment(owner)}/${segment(name)}`;
}

const issueOf = (args: ActionArguments) => `${repositoryOf(args)}/issues/${segment(args.number)}`;

/** The API version of these requests. */
const headers = { "x-github-api-version": "2022-11-28" };

const read = (path: string, query: ActionRequest["query"] = {}): ActionRequest => ({
  method: "GET",
  path,
  query,
  headers,
});

const search = (kind: string, { query, limit: most = 20, page: at }: ActionArguments) =>
  read(`/search/${kind}`, { q: query, per_page: most, page: at });

const issues: Record<string, VendorAction> = {
  searchIssues: {
    description: "Searches for issues and pull requests, in all repositories or in some.",
    effect: "read",
    parameters: {
      query: text("A search such as login error repo:owner/name is:issue is:open label:bug.", 256),
      limit,
      page,
    },
    required: ["query"],
    toRequest: (args) => search("issues", args),
    toText: (answer) =>
      showList(answer, {
        items: "items",
        shape: { ...issueShape, repository: "repository_url" },
        beside: { total: "total_count" },
      }),
  },
  getIssue: {
    description: "Reads an issue or a pull request with its comments, oldest first.",
    effect: "read",
    parameters: { repository, number, page: count("Which thirty of the comments. Default 1.", 100) },
    required: ["repository", "number"],
    toRequest: (args) => read(issueOf(args)),
    toNext: (_issue, args) => read(`${issueOf(args)}/comments`, { per_page: 30, page: args.page }),
    toText: (issue, { next: comments }) => {
      const shown = pick(issue, { ...issueShape, commentCount: "comments", body: ["body", 10_000] });
      if (Object.keys(shown).length === 0) return undefined;
      const shape: Shape = { id: "id", by: "user.login", created: "created_at", body: ["body", 3_000] };
      return JSON.stringify({ ...shown, comments: itemsAt(comments, "")?.map((one) => pick(one, shape)) });
    },
  },
  createIssue: {
    description: "Creates an issue.",
    effect: "write",
    parameters: {
      repository,
      title: text("The title, in one line.", 256),
      body: body("The description"),
      labels: text("Names of labels, with commas between them.", 500),
      assignees: text("Login names of those who are to do it, with commas between them.", 500),
    },
    required: ["repository", "title"],
    toRequest: ({ title, body: description, labels, assignees, ...args }) => ({
      method: "POST",
      path: `${repositoryOf(args)}/issues`,
      headers,
      body: bodyOf({
        title,
        body: description,
        labels: labels === undefined ? undefined : listOf(labels),
        assignees: assignees === undefined ? undefined : listOf(assignees),
      }),
    }),
    toText: (answer) => showItem(answer, created),
  },
  createComment: {
    description: "Comments on an issue or a pull request.",
    effect: "write",
    parameters: { repository, number, body: body("The comment") },
    required: ["repository", "number", "body"],
    toRequest: (args) => ({
      method: "POST",
      path: `${issueOf(args)}/comments`,
      headers,
      body: bodyOf({ body: args.body }),
    }),
    toText: (answer) => showItem(answer, created),
  },
  listPullRequests: {
    description: "Lists the pull requests of a repository, newest first.",
    effect: "read",
    parameters: {
      repository,
      state: choice("Only those. Default open.", ["open", "closed", "all"]),
      base: text("Only those into this branch.", 255),
      limit,
      page,
    },
    required: ["repository"],
    toRequest: ({ state, base, limit: most = 20, page: at, ...args }) =>
      read(`${repositoryOf(args)}/pulls`, { state, base, per_page: most, page: at }),
    toText: (answer) => showList(answer, { items: "", shape: issueShape }),
  },
};

const code: Record<string, VendorAction> = {
  getFile: {
    description: "Reads a file of a repository, or lists a folder.",
    effect: "read",
    parameters: {
      repository,
      path: text("Path of the file or folder, such as docs/README.md. Default the topmost folder.", 1_000),
      ref: text("Branch, tag or commit. Default the main branch.", 255),
    },
    required: ["repository"],
    toRequest: ({ path = "", ref, ...args }) => {
      const parts = String(path).split("/");
      const inner = parts.filter((part) => part.trim() !== "").map((part) => `/${segment(part)}`);
      return read(`${repositoryOf(args)}/contents${inner.join("")}`, { ref });
    },
    toText: (answer) =>
      showFile(answer) ?? showList(answer, { items: "", shape: { type: "type", path: "path", size: "size" } }),
  },
  searchCode: {
    description: "Searches the code of main branches for words.",
    effect: "read",
    parameters: { query: text("A search such as parseDate repo:owner/name language:go path:src.", 256), limit, page },
    required: ["query"],
    toRequest: (args) => search("code", args),
    toText: (answer) =>
      showList(answer, {
        items: "items",
        shape: { repository: "repository.full_name", path: "path", url: "html_url" },
        beside: { total: "total_count", isIncomplete: "incomplete_results" },
      }),
  },
};

/** The text of a file, which comes as Base64 up to a megabyte; undefined for a folder. */
function showFile(answer: Json): string | undefined {
  const encoded = valueAt(answer, "content");
  const [name, size] = [textAt(answer, "path") ?? "The file", textAt(answer, "size") ?? "?"];
  if (typeof encoded !== "string" || valueAt(answer, "type") !== "file") return undefined;
  if (valueAt(answer, "encoding") !== "base64") return `${name} has ${size} bytes, which is too large to read.`;
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
    if (!decoded.includes("\u0000")) return decoded === "" ? `${name} is empty.` : decoded;
  } catch {
    // Not UTF-8.
  }
  return `${name} is a binary file of ${size} bytes.`;
}

/** Issues, pull requests and files. Source: docs.github.com/rest. */
export const github = defineVendor({
  type: "github",
  title: "GitHub",
  summary: "Finds and writes issues and comments, lists pull requests, reads and searches code.",
  icon: "toolkit",
  prefix: "github",
  address: {
    url: "https://api.github.com",
    help: "Only for your own server, with /api/v3 at its end, or for a proxy in front of the API.",
  },
  signIn: withHeadersOf("a GitHub credential with a personal access token or one of an app"),
  actions: { ...issues, ...code },
});
