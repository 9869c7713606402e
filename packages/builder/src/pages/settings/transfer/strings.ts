import type { ImportReport } from "@weft/client";
import { localized } from "../../../languages/index.ts";

/** The parts of a report that list what an import does with each entry. */
type TransferKind = Exclude<keyof ImportReport, "dryRun" | "next">;

/** Texts of the card that exports and imports an installation. */
export const transferStrings = localized("transfer", {
  title: "Export and import",
  text: "Moves agents, tools, variables, assistants and document stores between installations as one file. Values of credentials, API keys, documents, chats and executions stay here.",
  withVersions: "Include earlier versions of agents",
  download: "Download export",
  fileName: (isoDay: string) => `weft-export-${isoDay}.json`,
  choose: "Choose export file",
  notJson: (name: string) => `${name} is not valid JSON. Choose a file that was downloaded as an export.`,
  checking: "Checking the file…",
  preview: (name: string) => `What an import of ${name} would do. Nothing has been changed yet.`,
  nothingToDo: (name: string) => `An import of ${name} would change nothing here.`,
  imported: (name: string) => `${name} was imported.`,
  report: "Entries by kind",
  mode: "When an entry differs from what is here",
  modes: { skip: "Keep what is here", overwrite: "Overwrite with the file" },
  kind: "Kind",
  kinds: {
    agents: "Agents",
    assistants: "Assistants",
    tools: "Tools",
    variables: "Variables",
    documentStores: "Document stores",
  } satisfies Record<TransferKind, string>,
  outcomes: { added: "Added", unchanged: "Unchanged", overwritten: "Overwritten", skipped: "Kept as is" },
  next: "Next steps",
  submit: "Import",
  cancel: "Cancel",
  done: "Done",
});
