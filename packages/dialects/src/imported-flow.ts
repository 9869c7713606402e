import type { Finding, FlowDocument, Json } from "@weft/schema";

/** A file that was given to an import. Its text is data: nothing in it is executed. */
export type ImportFile = { readonly name: string; readonly text: string };

/** A value in a node's config, by a dotted path. */
export type ConfigPlace = { nodeId: string; path: string };

/** What only the one who imports can choose. The chosen value goes to each of the places. */
export type ImportChoice = {
  kind: "model" | "agent" | "document-store" | "credential";
  /** As the source names it: `gpt-4o`, `Triage`, `vs_123`. */
  name: string;
  places: ConfigPlace[];
  /** What is wrong until it is chosen. */
  findings: Finding[];
};

/** What was chosen: the settings of a model, or the id of an agent, a document store or a credential. */
export type MadeChoice = { kind: ImportChoice["kind"]; name: string; value: Json };

/**
 * A secret that the source holds in clear. It is stored as a credential or forgotten; it stands in no flow and in no
 * finding.
 */
export type ImportedSecret = {
  /** What the credential is called. */
  name: string;
  /** Name of a credential type, and values of its fields. */
  credentialName: string;
  data: Record<string, string>;
  /** The host that the source sends it to. */
  host?: string;
  /** Where the credential's id goes. */
  places: ConfigPlace[];
};

/** A native flow made of files of another builder, and what is still to be done before it runs. */
export type ImportedFlow = {
  /** What the source calls the flow; empty if it says nothing. */
  name: string;
  flow: FlowDocument;
  /** An `error` stops a run until it is resolved. */
  findings: Finding[];
  choices: ImportChoice[];
  secrets: ImportedSecret[];
};
