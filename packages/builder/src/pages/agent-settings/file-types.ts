const office = "application/vnd.openxmlformats-officedocument";

/** Media types of the documents whose text the server reads. */
export const fileTypes = [
  { value: "text/plain", label: "Text" },
  { value: "text/markdown", label: "Markdown" },
  { value: "application/pdf", label: "PDF" },
  { value: `${office}.wordprocessingml.document`, label: "Word" },
  { value: `${office}.spreadsheetml.sheet`, label: "Excel" },
  { value: `${office}.presentationml.presentation`, label: "PowerPoint" },
  { value: "text/csv", label: "CSV" },
  { value: "text/html", label: "HTML" },
  { value: "application/json", label: "JSON" },
  { value: "application/xml", label: "XML" },
  { value: "application/yaml", label: "YAML" },
];
