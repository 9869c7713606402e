import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  ArgumentError,
  bodyOf,
  count,
  defineVendor,
  flag,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { oAuth } from "./sign-in.ts";

const documentId = text("Id of the document, as in its address.");
const index = count(
  "Where it goes: 1 is the beginning, and get_document has the index of each part. Default 1.",
  10_000_000,
);
const includeTabsContent = flag("Whether all tabs are read. Default only the first one.");
const added = {
  text: text("Text to insert."),
  imageUrl: text("Public address of an image to insert, as PNG, JPEG or GIF."),
  rows: count("Rows of a table to insert.", 100),
  columns: count("Columns of this table.", 20),
  index,
};
const replaced = {
  replaceText: text("The text to replace, wherever it is."),
  newText: text("What takes its place."),
  matchCase: flag("Whether case counts. Default false."),
};

const elements = "elements(startIndex,endIndex,textRun(content))";
const cells = `tableRows(tableCells(content(startIndex,endIndex,paragraph(${elements}))))`;
const body = `body(content(startIndex,endIndex,paragraph(paragraphStyle(namedStyleType),${elements}),table(${cells})))`;
/** Text with its indexes, without styles. */
const shown = `documentId,title,${body},tabs(tabProperties(tabId,title),documentTab(${body}),childTabs)`;

const documentOf = (args: ActionArguments) => `/v1/documents/${segment(args.documentId)}`;

/** The changes for the arguments. Later parts are inserted first, so that text, image and table end up in order. */
function toChanges({ text: content, imageUrl, rows, columns, index: at = 1, ...args }: ActionArguments): JsonObject[] {
  const location = { index: at };
  const changes: JsonObject[] = [];
  if (args.replaceText) {
    const containsText = { text: args.replaceText, matchCase: args.matchCase === true };
    changes.push({ replaceAllText: { containsText, replaceText: args.newText ?? "" } });
  }
  if ((rows === undefined) !== (columns === undefined)) {
    throw new ArgumentError("Nothing was called: a table needs rows and columns.");
  }
  if (rows !== undefined && columns !== undefined) changes.push({ insertTable: { rows, columns, location } });
  if (imageUrl) changes.push({ insertInlineImage: { uri: imageUrl, location } });
  if (content) changes.push({ insertText: { text: content, location } });
  return changes;
}

type Change = Pick<VendorAction, "description" | "parameters" | "required"> & {
  changes(args: ActionArguments): JsonObject[];
};

function change({ description, parameters, required, changes }: Change): VendorAction {
  return {
    description,
    effect: "write",
    parameters: { documentId, ...parameters },
    required: ["documentId", ...required],
    toRequest(args) {
      const requests = changes(args);
      if (requests.length === 0) throw new ArgumentError("Nothing was called: nothing was to be changed.");
      return { method: "POST", path: `${documentOf(args)}:batchUpdate`, body: { requests } };
    },
  };
}

/** The texts of a document, with its tabs under their titles. */
function toText(document: Json): string | undefined {
  if (!isJsonObject(document) || typeof document.documentId !== "string") return undefined;
  return `${String(document.title ?? "")}\n\n${textsOf(document)}`.trim();
}

function textsOf(value: Json): string {
  if (Array.isArray(value)) return value.map(textsOf).join("");
  if (!isJsonObject(value)) return "";
  const { tabProperties, ...rest } = value;
  const title = isJsonObject(tabProperties) ? `\n# ${String(tabProperties.title ?? "")}\n` : "";
  const texts = Object.entries(rest).map(([key, item]) =>
    key === "content" && typeof item === "string" ? item : textsOf(item),
  );
  return title + texts.join("");
}

function reading(description: string): VendorAction {
  return {
    description,
    effect: "read",
    parameters: { documentId, includeTabsContent },
    required: ["documentId"],
    toRequest: ({ includeTabsContent: all, ...args }) => ({
      method: "GET",
      path: documentOf(args),
      query: { includeTabsContent: all === true ? true : undefined, fields: shown },
    }),
  };
}

/** A person's documents. Source: developers.google.com/workspace/docs/api/reference/rest/v1. */
export const googleDocs = defineVendor({
  type: "google-docs",
  title: "Google Docs",
  summary: "Reads, writes and changes documents.",
  icon: "toolkit",
  prefix: "google_docs",
  address: { url: "https://docs.googleapis.com" },
  signIn: oAuth("googleDocsOAuth2", "https://oauth2.googleapis.com/token"),
  actions: {
    createDocument: {
      description: "Creates a document, with what is to be in it.",
      effect: "write",
      parameters: { title: text("The title."), ...added },
      required: ["title"],
      toRequest({ title, ...args }) {
        toChanges(args);
        return {
          method: "POST",
          path: "/v1/documents",
          query: { fields: "documentId,title" },
          body: bodyOf({ title }),
        };
      },
      toNext(created, args) {
        const requests = toChanges(args);
        if (requests.length === 0 || !isJsonObject(created)) return undefined;
        return { method: "POST", path: `${documentOf(created)}:batchUpdate`, body: { requests } };
      },
    },
    getDocument: reading("Reads the parts of a document with the index of each."),
    updateDocument: change({
      description: "Changes a document: replaces text, and inserts text, an image or a table.",
      parameters: { ...added, ...replaced },
      required: [],
      changes: toChanges,
    }),
    insertText: change({
      description: "Inserts text into a document.",
      parameters: { text: added.text, index },
      required: ["text"],
      changes: toChanges,
    }),
    replaceText: change({
      description: "Replaces a text wherever it is in a document.",
      parameters: replaced,
      required: ["replaceText", "newText"],
      changes: toChanges,
    }),
    appendText: change({
      description: "Adds text at the end of a document.",
      parameters: { text: text("Text to add.") },
      required: ["text"],
      changes: (args) => (args.text ? [{ insertText: { text: args.text, endOfSegmentLocation: {} } }] : []),
    }),
    getTextContent: { ...reading("Reads the text of a document."), toText },
    insertImage: change({
      description: "Inserts an image into a document.",
      parameters: { imageUrl: added.imageUrl, index },
      required: ["imageUrl"],
      changes: toChanges,
    }),
    createTable: change({
      description: "Inserts an empty table into a document.",
      parameters: { rows: added.rows, columns: added.columns, index },
      required: ["rows", "columns"],
      changes: toChanges,
    }),
  },
});
