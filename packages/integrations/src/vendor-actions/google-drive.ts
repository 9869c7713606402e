import type { Json, JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  type ActionRequest,
  ArgumentError,
  bodyOf,
  choice,
  count,
  defineVendor,
  flag,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { oAuth } from "./sign-in.ts";

const fileId = text("Id of the file.");
const folderId = text("Id of the folder. The person's own one is root.");
const permissionId = text("Id of the permission, as in the list of those who may use the file.");
const parentFolderId = text("Id of the folder that it goes into. Default the person's own.");
const supportsAllDrives = flag("Whether it may be on a shared drive. Default false.");
const listing = {
  maxResults: count("How many to list. Default 10.", 1_000),
  orderBy: choice("What the list is sorted by.", ["name", "createdTime", "modifiedTime", "quotaBytesUsed", "folder"]),
  includeItemsFromAllDrives: flag("Whether files of shared drives are listed, too. Needs supportsAllDrives."),
  supportsAllDrives,
};

const folderType = "application/vnd.google-apps.folder";
const shown = "id,name,mimeType,description,size,createdTime,modifiedTime,parents,webViewLink";

const fileOf = (args: ActionArguments) => `/drive/v3/files/${segment(args.fileId)}`;

/** The fields of a list. `fields` names those of a file, or is a whole selector. */
function toList(args: ActionArguments, q: string | undefined): ActionRequest {
  const { maxResults = 10, orderBy, includeItemsFromAllDrives, supportsAllDrives: all, fields } = args;
  const named = String(fields ?? "").trim();
  const selector = /\(|\*|^files/.test(named) ? named : `nextPageToken,files(${named || shown})`;
  return {
    method: "GET",
    path: "/drive/v3/files",
    query: { q, pageSize: maxResults, orderBy, includeItemsFromAllDrives, supportsAllDrives: all, fields: selector },
  };
}

/** A query in Drive's syntax, or words that files contain. */
function toQuery(query: Json | undefined): string {
  const given = String(query ?? "").trim();
  const isQuery = /[=<>]|\b(?:contains|has)\s+['{]|'\s+in\s/.test(given);
  return isQuery ? given : `fullText contains ${quote(given)} and trashed = false`;
}

function quote(value: string): string {
  return `'${value.replaceAll(/[\\']/g, "\\$&")}'`;
}

function toFile({ fileName, mimeType, parentFolderId: parent, description }: ActionArguments): JsonObject {
  return bodyOf({ name: fileName, mimeType, description, parents: parent ? [parent] : undefined });
}

/** With content: metadata and content go in one request (RFC 2387). */
function toUpload(args: ActionArguments): ActionRequest {
  const { fileContent, supportsAllDrives: all, mimeType } = args;
  const query = { supportsAllDrives: all, fields: shown };
  if (fileContent === undefined) return { method: "POST", path: "/drive/v3/files", query, body: toFile(args) };
  const content = String(fileContent);
  const boundary = boundaryFor(content);
  const type = String(mimeType || "text/plain");
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(type)) throw new ArgumentError(`Nothing was called: "${type}" is no MIME type.`);
  // Google converts text to documents, and tables to sheets.
  const made = {
    "application/vnd.google-apps.spreadsheet": "text/csv",
    "application/vnd.google-apps.document": "text/plain",
  };
  const sent = Object.entries(made).find(([name]) => name === type)?.[1] ?? type;
  const parts = [
    `--${boundary}`,
    "Content-Type: application/json; charset=UTF-8",
    "",
    JSON.stringify(toFile({ ...args, mimeType: type })),
    `--${boundary}`,
    `Content-Type: ${sent}; charset=UTF-8`,
    "",
    content,
    `--${boundary}--`,
  ];
  return {
    method: "POST",
    path: "/upload/drive/v3/files",
    query: { uploadType: "multipart", ...query },
    content: { type: `multipart/related; boundary=${boundary}`, text: parts.join("\r\n") },
  };
}

/** Text that the content does not contain. */
function boundaryFor(content: string): string {
  let boundary = "part";
  while (content.includes(boundary)) boundary += "-part";
  return boundary;
}

function toPermission(args: ActionArguments): ActionRequest {
  const { shareRole: role, shareType: type = "user", emailAddress, domainName, supportsAllDrives: all } = args;
  const isMailed = type === "user" || type === "group";
  if (isMailed && !emailAddress) throw new ArgumentError(`Nothing was called: emailAddress is needed for a ${type}.`);
  if (type === "domain" && !domainName) throw new ArgumentError("Nothing was called: domainName is needed.");
  return {
    method: "POST",
    path: `${fileOf(args)}/permissions`,
    query: {
      supportsAllDrives: all,
      // Drive rejects these unless a particular person is notified.
      ...(isMailed && { sendNotificationEmail: args.sendNotificationEmail, emailMessage: args.emailMessage }),
      transferOwnership: role === "owner" ? true : undefined,
    },
    body: bodyOf({
      role,
      type,
      emailAddress: isMailed ? emailAddress : undefined,
      domain: type === "domain" ? domainName : undefined,
    }),
  };
}

function deletion(description: string, key: "fileId" | "folderId"): VendorAction {
  return {
    description,
    effect: "destructive",
    parameters: { [key]: key === "fileId" ? fileId : text("Id of the folder."), supportsAllDrives },
    required: [key],
    toRequest: ({ [key]: id, supportsAllDrives: all }) => ({
      method: "DELETE",
      path: fileOf({ fileId: id ?? "" }),
      query: { supportsAllDrives: all },
    }),
  };
}

const files: Record<string, VendorAction> = {
  listFiles: {
    description: "Lists files.",
    effect: "read",
    parameters: { ...listing, fields: text("Fields of each file, such as id,name,owners.") },
    required: [],
    toRequest: (args) => toList(args, undefined),
  },
  getFile: {
    description: "Reads what a file is, without its content.",
    effect: "read",
    parameters: {
      fileId,
      fields: text("Fields of the file, such as id,name,owners."),
      acknowledgeAbuse: flag("Whether a file that is known to be harmful may be read."),
      supportsAllDrives,
    },
    required: ["fileId"],
    toRequest: ({ fields, acknowledgeAbuse, supportsAllDrives: all, ...args }) => ({
      method: "GET",
      path: fileOf(args),
      query: { fields: fields || shown, acknowledgeAbuse, supportsAllDrives: all },
    }),
  },
  createFile: {
    description: "Creates a file with text as its content.",
    effect: "write",
    parameters: {
      fileName: text("Name of the file."),
      fileContent: text("Its content."),
      mimeType: text(
        "What it is. Default text/plain; application/vnd.google-apps.document makes a document of text, application/vnd.google-apps.spreadsheet a sheet of CSV.",
      ),
      parentFolderId,
      description: text("What the file is about."),
      supportsAllDrives,
    },
    required: ["fileName"],
    toRequest: toUpload,
  },
  updateFile: {
    description: "Changes the name or the description of a file.",
    effect: "write",
    parameters: {
      fileId,
      newName: text("The new name."),
      description: text("What the file is about."),
      supportsAllDrives,
    },
    required: ["fileId"],
    toRequest: ({ newName, description, supportsAllDrives: all, ...args }) => ({
      method: "PATCH",
      path: fileOf(args),
      query: { supportsAllDrives: all, fields: shown },
      body: bodyOf({ name: newName, description }),
    }),
  },
  deleteFile: deletion("Deletes a file for good.", "fileId"),
  copyFile: {
    description: "Copies a file.",
    effect: "write",
    parameters: { fileId, fileName: text("Name of the copy."), parentFolderId, supportsAllDrives },
    required: ["fileId"],
    toRequest: ({ supportsAllDrives: all, ...args }) => ({
      method: "POST",
      path: `${fileOf(args)}/copy`,
      query: { supportsAllDrives: all, fields: shown },
      body: toFile(args),
    }),
  },
  downloadFile: {
    description: "Reads the content of a file of text.",
    effect: "read",
    parameters: {
      fileId,
      exportAs: text(
        "Only for documents, sheets and slides of Google: the type to read them as, such as text/plain or text/csv.",
      ),
      acknowledgeAbuse: flag("Whether a file that is known to be harmful may be read."),
      supportsAllDrives,
    },
    required: ["fileId"],
    toRequest: ({ exportAs, acknowledgeAbuse, supportsAllDrives: all, ...args }) =>
      exportAs
        ? { method: "GET", path: `${fileOf(args)}/export`, query: { mimeType: exportAs } }
        : { method: "GET", path: fileOf(args), query: { alt: "media", acknowledgeAbuse, supportsAllDrives: all } },
  },
};

const folders: Record<string, VendorAction> = {
  createFolder: {
    description: "Creates a folder.",
    effect: "write",
    parameters: {
      fileName: text("Name of the folder."),
      parentFolderId,
      description: text("What the folder is about."),
      supportsAllDrives,
    },
    required: ["fileName"],
    toRequest: ({ supportsAllDrives: all, ...args }) => ({
      method: "POST",
      path: "/drive/v3/files",
      query: { supportsAllDrives: all, fields: shown },
      body: toFile({ ...args, mimeType: folderType }),
    }),
  },
  listFolderContents: {
    description: "Lists what is in a folder.",
    effect: "read",
    parameters: { folderId, maxResults: count("How many to list. Default 100.", 1_000), supportsAllDrives },
    required: ["folderId"],
    toRequest: ({ folderId: id, maxResults = 100, supportsAllDrives: all }) => {
      const drives: JsonObject = all === true ? { supportsAllDrives: true, includeItemsFromAllDrives: true } : {};
      const query = `${quote(String(id))} in parents and trashed = false`;
      return toList({ maxResults, orderBy: "folder", ...drives }, query);
    },
  },
  deleteFolder: deletion("Deletes a folder for good, with all that is in it.", "folderId"),
};

const shares: Record<string, VendorAction> = {
  shareFile: {
    description: "Lets others use a file.",
    effect: "write",
    parameters: {
      fileId,
      shareRole: choice("What they may do.", ["reader", "writer", "commenter", "owner"]),
      shareType: choice("Who they are. Default user.", ["user", "group", "domain", "anyone"]),
      emailAddress: text("Mail address of the user or group."),
      domainName: text("Domain, where everybody of it is meant."),
      sendNotificationEmail: flag("Whether the user or group is told by mail. Default true."),
      emailMessage: text("Text of this mail."),
      supportsAllDrives,
    },
    required: ["fileId", "shareRole"],
    toRequest: toPermission,
  },
  getPermissions: {
    description: "Lists who may use a file.",
    effect: "read",
    parameters: { fileId, supportsAllDrives },
    required: ["fileId"],
    toRequest: ({ supportsAllDrives: all, ...args }) => ({
      method: "GET",
      path: `${fileOf(args)}/permissions`,
      query: {
        supportsAllDrives: all,
        fields: "nextPageToken,permissions(id,type,role,emailAddress,displayName,domain)",
      },
    }),
  },
  removePermission: {
    description: "Takes back that others may use a file.",
    effect: "destructive",
    parameters: { fileId, permissionId, supportsAllDrives },
    required: ["fileId", "permissionId"],
    toRequest: ({ permissionId: id, supportsAllDrives: all, ...args }) => ({
      method: "DELETE",
      path: `${fileOf(args)}/permissions/${segment(id)}`,
      query: { supportsAllDrives: all },
    }),
  },
};

/** A person's files. Source: developers.google.com/workspace/drive/api/reference/rest/v3. */
export const googleDrive = defineVendor({
  type: "google-drive",
  title: "Google Drive",
  summary: "Finds, reads, writes and shares files and folders.",
  icon: "toolkit",
  prefix: "google_drive",
  address: { url: "https://www.googleapis.com" },
  signIn: oAuth("googleDriveOAuth2", "https://oauth2.googleapis.com/token"),
  actions: {
    ...files,
    ...folders,
    searchFiles: {
      description: "Searches for files.",
      effect: "read",
      parameters: {
        searchQuery: text(
          "Words, or a query of Drive such as name contains 'plan' and mimeType = 'application/pdf' and trashed = false.",
        ),
        ...listing,
      },
      required: ["searchQuery"],
      toRequest: ({ searchQuery, ...args }) => toList(args, toQuery(searchQuery)),
    },
    ...shares,
  },
});
