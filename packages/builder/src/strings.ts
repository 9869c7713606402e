import { formatNumber, localized } from "./languages/index.ts";

/** Texts shared by several pages. */
export const commonStrings = localized("common", {
  uses: {
    title: "Used by",
    none: "Nothing uses it.",
    step: (name: string, step: string) => `${name}: step “${step}”`,
    draft: (name: string) => `${name} (draft)`,
    defaultModel: "The default model",
    more: (count: number) => (count === 1 ? "and 1 more place" : `and ${formatNumber(count)} more places`),
  },
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
  labelled: (label: string, value: string) => `${label}: ${value}`,
  optional: "Optional",
  showPassword: "Show or hide the password",
  nothingFound: (text: string) => `No results for “${text}”.`,
  clearSearch: "Clear search",
  loading: "Loading",
  leaveTitle: "Leave without saving?",
  leave: "Leave",
  stay: "Stay",
  justNow: "just now",
  /** Of durations. */
  units: { ms: "ms", s: "s", min: "min", h: "h", d: "d" },
});

export const errorStrings = localized("error", {
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
});

export const shellStrings = localized("shell", {
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
  prices: "Prices",
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
    moveFromFlowise: "Move from Flowise",
    pages: "Pages",
    everywhere: "Everywhere",
    nothing: (text: string) => `Nothing matches “${text}”.`,
  },
});

/** Texts of the chart that counts runs over time. */
export const volumeStrings = localized("volume", {
  volumeSummary: (runs: number, failures: number) => `${formatNumber(runs)} runs, ${formatNumber(failures)} failed`,
  part: (start: string, runs: number, failures: number) =>
    `${start}: ${formatNumber(runs)} runs, ${formatNumber(failures)} failed`,
});

/** States of runs. */
export const runStateStrings = localized("runState", {
  INPROGRESS: "Running",
  FINISHED: "Finished",
  ERROR: "Failed",
  TIMEOUT: "Timed out",
  TERMINATED: "Cancelled",
  STOPPED: "Waiting",
});

/** Texts of values that are shown as a tree. */
export const jsonStrings = localized("json", {
  items: (count: number) => (count === 1 ? "1 item" : `${formatNumber(count)} items`),
  members: (count: number) => (count === 1 ? "1 field" : `${formatNumber(count)} fields`),
  showAll: (count: number) => `Show all ${formatNumber(count)}`,
  showMore: (count: number, rest: number) => `Show ${formatNumber(count)} more of ${formatNumber(rest)}`,
  showCharacters: (count: number) => `Show all ${formatNumber(count)} characters`,
  copyValue: (name: string) => `Copy value of ${name}`,
  copyPath: (name: string) => `Copy path of ${name}`,
});
