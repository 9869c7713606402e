import { formatNumber, localized } from "../../../languages/index.ts";

export const storeQueryStrings = localized("storeQuery", {
  compare: "Compare",
  compareHelp: "Asks the same question in every mode and shows the results next to each other.",
  asSetUp: "As set up",
  asSetUpHelp: "“As set up” adds the store’s own search settings, such as a reranker; the other modes leave them out.",
  column: (mode: string) => `Passages by ${mode}`,
  /** Places of a passage among the results of each mode. */
  places: {
    keyword: (place: number) => `#${place} by words`,
    vector: (place: number) => `#${place} by meaning`,
    hybrid: (place: number) => `#${place} in hybrid`,
    store: (place: number) => `#${place} as set up`,
  },
  absent: {
    keyword: (depth: number) => `not in the first ${depth} by words`,
    vector: (depth: number) => `not in the first ${depth} by meaning`,
    hybrid: (depth: number) => `not in the first ${depth} in hybrid`,
    store: (depth: number) => `not in the first ${depth} as set up`,
  },
  showAll: "Show all",
  showLess: "Show less",

  filter: "Filter",
  filterOf: (conditions: number) => `Filter (${formatNumber(conditions)})`,
  filterJson: "Filter (JSON)",
  filterHelp:
    "Only passages whose metadata meets every condition are found. Numbers, true and false are compared as such; to compare them as text, put them in quotation marks.",
  asFields: "Fields",
  asJson: "JSON",
  filterAs: "Write the filter as",
  condition: (number: number) => `Condition ${number}`,
  field: "Metadata",
  operator: "Operator",
  operators: {
    $eq: "is",
    $ne: "is not",
    $in: "is one of",
    $nin: "is none of",
    $gt: "greater than",
    $gte: "at least",
    $lt: "less than",
    $lte: "at most",
    present: "is present",
    absent: "is missing",
  },
  value: "Value",
  valuesPlaceholder: "one, two, three",
  addCondition: "Add a condition",
  removeCondition: (number: number) => `Remove condition ${number}`,
  jsonWrong: "The filter must be a JSON object.",
});
