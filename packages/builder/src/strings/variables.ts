import type { Variable } from "@weft/client";

export const variablesStrings = {
  title: "Variables",
  summary: "Values that every flow can read, as {{ $vars.name }} in a text and $vars.name in code.",
  create: "New variable",
  createTitle: "New variable",
  editTitle: "Edit variable",
  search: "Search variables",
  emptyTitle: "No variables yet",
  emptyText: "Keep here what several flows share: an address, a city, a limit. Change it once, and every flow follows.",
  nameHint: "Letters, digits and underscores, so that code can write $vars.name.",
  types: {
    string: "Text",
    number: "Number",
    boolean: "Yes or no",
    json: "JSON",
    runtime: "From the server’s environment",
    static: "Text (static)",
  } satisfies Record<Variable["type"], string>,
  runtimeHint:
    "The value is read from the environment variable of this name when a flow runs. The operator lists the permitted names in RUNTIME_VARIABLES.",
  runtimeValue: "Read when a flow runs",
  yes: "true",
  no: "false",
  noValue: "Empty",
  saved: (name: string) => `“${name}” was saved.`,
  deleted: (name: string) => `“${name}” was deleted.`,
  deleteTitle: "Delete this variable?",
  deleteText: (name: string) => `Flows that read $vars.${name} will find nothing there. This cannot be undone.`,
} as const;
