import type { Json, JsonObject } from "@weft/schema";
import { type ActionRequest, bodyOf, count, defineVendor, listOf, text, type VendorAction } from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";
import { itemsAt, pick, type Shape, showItem, showList, textAt, valueAt } from "./vendor-answer.ts";

const issueId = text("Id of the issue, such as ENG-123.", 100);
const markdown = (what: string) => text(`${what}, in Markdown.`, 50_000);

function ask(query: string, variables: Readonly<Record<string, Json | undefined>> = {}): ActionRequest {
  return { method: "POST", path: "/graphql", body: { query, variables: bodyOf(variables) } };
}

/** What is read of an issue. */
const issueFields =
  "id identifier title url priorityLabel createdAt updatedAt state { name } assignee { name } team { id key }";
const issueShape: Shape = {
  id: "identifier",
  title: "title",
  state: "state.name",
  priority: "priorityLabel",
  assignee: "assignee.name",
  team: "team.key",
  created: "createdAt",
  updated: "updatedAt",
  url: "url",
};
const stateShape: Shape = { id: "id", name: "name", type: "type" };

const showIssue = (path: string) => (answer: Json) => showItem(valueAt(answer, path), issueShape);
const statesAt = (value: Json | undefined, path: string): JsonObject[] =>
  itemsAt(value, path)?.map((state) => pick(state, stateShape)) ?? [];

const actions: Record<string, VendorAction> = {
  searchIssues: {
    description: "Searches for issues by words.",
    effect: "read",
    parameters: {
      query: text("Words of the title, the description or the comments.", 1_000),
      limit: count("How many to list. Default 20.", 50),
      cursor: text("Where the next part starts: the next of the last answer.", 200),
    },
    required: ["query"],
    toRequest: ({ query, limit = 20, cursor }) =>
      ask(
        `query($term: String!, $first: Int, $after: String) { searchIssues(term: $term, first: $first, after: $after) { nodes { ${issueFields} } pageInfo { endCursor hasNextPage } } }`,
        { term: query, first: limit, after: cursor },
      ),
    toText: (answer) => {
      const hasNext = valueAt(answer, "data.searchIssues.pageInfo.hasNextPage") === true;
      const beside: Shape = hasNext ? { next: "data.searchIssues.pageInfo.endCursor" } : {};
      return showList(answer, { items: "data.searchIssues.nodes", shape: issueShape, beside });
    },
  },
  getIssue: {
    description: "Reads an issue with its comments, and the states that it can be in.",
    effect: "read",
    parameters: { issueId },
    required: ["issueId"],
    toRequest: (args) =>
      ask(
        `query($id: String!) { issue(id: $id) { ${issueFields} description labels { nodes { name } } comments(first: 50) { nodes { body createdAt user { name } } } states: team { states { nodes { id name type } } } } }`,
        { id: args.issueId },
      ),
    toText: (answer) => {
      const issue = valueAt(answer, "data.issue");
      const shown = pick(issue, { ...issueShape, labels: "labels.nodes.*.name", description: ["description", 10_000] });
      if (Object.keys(shown).length === 0) return undefined;
      const shape: Shape = { by: "user.name", created: "createdAt", body: ["body", 3_000] };
      const comments = itemsAt(issue, "comments.nodes")?.map((comment) => pick(comment, shape)) ?? [];
      return JSON.stringify({ ...shown, comments, states: statesAt(issue, "states.states.nodes") });
    },
  },
  listTeams: {
    description: "Lists the teams, with the states of their issues.",
    effect: "read",
    parameters: {},
    required: [],
    toRequest: () => ask("query { teams(first: 50) { nodes { id key name states { nodes { id name type } } } } }"),
    toText: (answer) => {
      const items = itemsAt(answer, "data.teams.nodes")?.map((team) => ({
        ...pick(team, { id: "id", key: "key", name: "name" }),
        states: statesAt(team, "states.nodes"),
      }));
      return items && JSON.stringify({ items });
    },
  },
  createIssue: {
    description: "Creates an issue.",
    effect: "write",
    parameters: {
      teamId: text("Id of the team, as list_teams lists it.", 100),
      title: text("The title, in one line.", 500),
      description: markdown("The description"),
      priority: count("1 urgent, 2 high, 3 normal, 4 low. Default none.", 4),
      stateId: text("Id of the state, as list_teams lists it. Default the team's first.", 100),
      assigneeId: text("Id of the person who is to do it.", 100),
      labelIds: text("Ids of labels, with commas between them.", 1_000),
    },
    required: ["teamId", "title"],
    toRequest: ({ labelIds, ...input }) =>
      ask(`mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${issueFields} } } }`, {
        input: bodyOf({ ...input, labelIds: labelIds === undefined ? undefined : listOf(labelIds) }),
      }),
    toText: showIssue("data.issueCreate.issue"),
  },
  createComment: {
    description: "Comments on an issue.",
    effect: "write",
    parameters: { issueId, body: markdown("The comment") },
    required: ["issueId", "body"],
    toRequest: ({ issueId: id, body }) =>
      ask("mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id url } } }", {
        input: bodyOf({ issueId: id, body }),
      }),
    toText: (answer) => showItem(valueAt(answer, "data.commentCreate.comment"), { id: "id", url: "url" }),
  },
  changeState: {
    description: "Moves an issue to another state.",
    effect: "write",
    parameters: { issueId, stateId: text("Id of the state, as get_issue lists it.", 100) },
    required: ["issueId", "stateId"],
    toRequest: ({ issueId: id, stateId }) =>
      ask(
        `mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${issueFields} } } }`,
        { id, input: bodyOf({ stateId }) },
      ),
    toText: showIssue("data.issueUpdate.issue"),
  },
};

/** GraphQL reports errors with status 200, too. Source: linear.app/developers/graphql, "Errors". */
function toRefusal(answer: Json): string | undefined {
  const [error] = itemsAt(answer, "errors") ?? [];
  if (error === undefined) return undefined;
  const said = textAt(error, "extensions.userPresentableMessage") ?? textAt(error, "message") ?? "no reason given";
  const isUnknown = /entity not found/i.test(said);
  return `Linear refused the call: ${said}${isUnknown ? "\nCheck the ids: list what there is first." : ""}`;
}

/** Issues of a workspace. Source: linear.app/developers/graphql. */
export const linear = defineVendor({
  type: "linear",
  title: "Linear",
  summary: "Finds, reads and creates issues, comments on them and changes their states.",
  icon: "toolkit",
  prefix: "linear",
  address: { url: "https://api.linear.app" },
  signIn: withHeadersOf("a Linear credential with an API key"),
  toRefusal,
  actions,
});
