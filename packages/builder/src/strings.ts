/** Texts shared by several pages. */
export const commonStrings = {
  cancel: "Cancel",
  save: "Save",
  saved: "Saved",
  reload: "Reload",
  create: "Create",
  delete: "Delete",
  edit: "Edit",
  close: "Close",
  done: "Done",
  copy: "Copy",
  copied: "Copied",
  copyCode: "Copy code",
  duplicate: "Duplicate",
  name: "Name",
  type: "Type",
  value: "Value",
  updated: "Updated",
  created: "Created",
  actionsOf: (name: string) => `Actions of ${name}`,
  actions: "Actions",
  optional: "Optional",
  nothingFound: (text: string) => `No results for “${text}”.`,
  clearSearch: "Clear search",
  loading: "Loading",
  leaveTitle: "Leave without saving?",
  leave: "Leave",
  stay: "Stay",
} as const;

export const errorStrings = {
  conflict:
    "Someone else changed this in the meantime, so your change was not saved. Load the current version, then make your change again.",
  title: "Something went wrong",
  unreachable: "Cannot reach the server. Check that it is running and that you are online, then try again.",
  unknown: "An unexpected error occurred on this page. Reload it, and report the error if it happens again.",
  status: (status: number) => `The server responded with status ${status}. Check its log for the cause.`,
  retry: "Try again",
  reload: "Reload the page",
  requestId: (id: string) => `Request ${id}`,
  pageTitle: "This page could not be displayed",
  newVersion: "The builder was updated on the server. Reload to use the new version.",
  notFoundTitle: "Page not found",
  notFoundText: "Check the address. What it pointed to may have been deleted.",
  toAgents: "Go to agents",
} as const;

export const shellStrings = {
  product: "Weft",
  navigation: "Main",
  skipToContent: "Skip to content",
  home: "Home",
  agents: "Agents",
  assistants: "Assistants",
  executions: "Executions",
  inbox: "Inbox",
  inboxCount: (count: number) => (count === 1 ? "1 run waits for an answer" : `${count} runs wait for an answer`),
  inboxShortCount: (count: number) => (count > 99 ? "99+" : String(count)),
  documentStores: "Document stores",
  tools: "Tools",
  models: "Models",
  credentials: "Credentials",
  variables: "Variables",
  apiKeys: "API keys",
  system: "System",
  settings: "Settings",
  documentation: "API documentation",
  lightColours: "Light colours",
  darkColours: "Dark colours",
  signOut: "Sign out",
  loading: "Loading",
  commands: {
    title: "Go to or do",
    open: "Go to",
    search: "Go to a page or an agent, or do something",
    here: "On this page",
    create: "New",
    newAgent: "New agent",
    newFromTemplate: "New agent from a template",
    importAgent: "Import an agent",
    pages: "Pages",
    everywhere: "Everywhere",
    nothing: (text: string) => `Nothing matches “${text}”.`,
  },
} as const;

/** Texts of the chart that counts runs over time. */
export const volumeStrings = {
  volumeSummary: (runs: number, failures: number) =>
    `${runs.toLocaleString("en")} runs, ${failures.toLocaleString("en")} failed`,
  part: (start: string, runs: number, failures: number) =>
    `${start}: ${runs.toLocaleString("en")} runs, ${failures.toLocaleString("en")} failed`,
} as const;

/** Texts of values that are shown as a tree. */
export const jsonStrings = {
  items: (count: number) => (count === 1 ? "1 item" : `${count.toLocaleString("en")} items`),
  members: (count: number) => (count === 1 ? "1 field" : `${count.toLocaleString("en")} fields`),
  showAll: (count: number) => `Show all ${count.toLocaleString("en")}`,
  showMore: (count: number, rest: number) =>
    `Show ${count.toLocaleString("en")} more of ${rest.toLocaleString("en")}`,
  showCharacters: (count: number) => `Show all ${count.toLocaleString("en")} characters`,
  copyValue: (name: string) => `Copy value of ${name}`,
  copyPath: (name: string) => `Copy path of ${name}`,
} as const;
