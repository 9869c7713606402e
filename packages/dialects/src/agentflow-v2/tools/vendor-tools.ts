import { argumentOf, convertVendor, ofGroup, settingsOf } from "./convert-vendor.ts";
import type { ToolConverter } from "./tool-converter.ts";

const gmailSetting =
  /^(draft|draftUpdate|message|thread)(To|Subject|Body|Cc|Bcc|MaxResults|Query|AddLabelIds|RemoveLabelIds)$/;

const gmail = convertVendor({
  type: "gmail",
  chosen: ofGroup("gmailType", {
    drafts: "draftActions",
    messages: "messageActions",
    labels: "labelActions",
    threads: "threadActions",
  }),
  toArgument(setting, actions) {
    if (/^(?:draft|message|label|thread)Id$|^label(?:Name|Color)$/.test(setting)) {
      const noun = setting.replace(/(?:Id|Name|Color)$/, "");
      return [...actions].some((action) => action.toLowerCase().includes(noun)) ? setting : undefined;
    }
    const [, group = "", argument = ""] = gmailSetting.exec(setting) ?? [];
    const isOfAction = {
      draft: actions.has("createDraft") || actions.has("listDrafts"),
      draftUpdate: actions.has("updateDraft"),
      message: [...actions].some((action) => /Messages?$/.test(action)),
      thread: [...actions].some((action) => /Threads?$/.test(action)),
    }[group];
    return isOfAction ? toLowerFirst(argument) : undefined;
  },
});

const teamsSetting =
  /^(teamId|channelId|displayName|description|membershipType|maxResults|chatId|chatType|topic|members|userId|chatChannelId|messageId|messageBody|contentType|replyBody|reactionType)([A-Z]\w*)$/;

/** What the end of a setting's name says of the actions that it belongs to, where that is not the action itself. */
const teamsEnds: Readonly<Record<string, readonly string[]>> = {
  DeleteChannel: ["deleteChannel", "archiveChannel", "unarchiveChannel"],
  ChannelMembers: ["listChannelMembers", "addChannelMember"],
  ChannelMember: ["addChannelMember"],
  ChatMembers: ["listChatMembers", "addChatMember"],
  ChatMember: ["addChatMember"],
  ReplyMessage: ["replyToMessage"],
  Reaction: ["setReaction", "unsetReaction"],
};

const microsoftTeams = convertVendor({
  type: "microsoft-teams",
  chosen: ofGroup("teamsType", { channel: "channelActions", chat: "chatActions", chatMessage: "chatMessageActions" }),
  unavailable: new Set([
    "removeChannelMember",
    "deleteChat",
    "removeChatMember",
    "pinMessage",
    "unpinMessage",
    "getAllMessages",
  ]),
  isIgnored: (setting, actions) => setting === "maxResultsListChannels" && actions.has("listChannels"),
  toArgument(setting, actions) {
    const [, argument, end = ""] = teamsSetting.exec(setting) ?? [];
    return argument === undefined ? undefined : argumentOf(argument, teamsEnds[end] ?? [toLowerFirst(end)], actions);
  },
});

const outlookSetting =
  /^(maxResults|calendarId|calendarName|startDateTime|endDateTime|eventId|subject|body|timeZone|location|attendees|filter|messageId|to|cc|bcc|isRead|destinationFolderId|replyBody|forwardTo|forwardComment)((?:List|Get|Create|Update|Delete|Send|Copy|Move|Reply|Forward)\w+)$/;

const microsoftOutlook = convertVendor({
  type: "microsoft-outlook",
  chosen: ofGroup("outlookType", { calendar: "calendarActions", message: "messageActions" }),
  toArgument(setting, actions) {
    const [, argument, action = ""] = outlookSetting.exec(setting) ?? [];
    return argument === undefined ? undefined : argumentOf(argument, [toLowerFirst(action)], actions);
  },
});

const jiraTool = convertVendor({
  type: "jira",
  chosen: ofGroup("jiraType", { issues: "issueActions", comments: "commentActions", users: "userActions" }),
  unavailable: new Set(["updateUser"]),
  credential: "one with the address and API token of an Atlassian account, or with a bearer token",
  toArgument: settingsOf({
    "listIssues createIssue": "projectKey",
    createIssue: "issueType",
    "createIssue updateIssue": "issueSummary issueDescription issuePriority",
    "getIssue updateIssue deleteIssue assignIssue transitionIssue": "issueKey",
    "assignIssue createIssue updateIssue": "assigneeAccountId",
    transitionIssue: "transitionId",
    listIssues: "jqlQuery issueMaxResults:maxResults",
    "listComments createComment getComment updateComment deleteComment": "commentIssueKey",
    "createComment updateComment": "commentText",
    "getComment updateComment deleteComment": "commentId",
    searchUsers: "userQuery userMaxResults:maxResults",
    "getUser deleteUser": "userAccountId",
    createUser: "userEmail",
  }),
  isIgnored: (setting, actions) =>
    setting === "enableSSL" || setting === "caFile" || (setting === "userDisplayName" && actions.has("createUser")),
  toMore({ name, settings, report }) {
    const host = settings.text("jiraHost").trim();
    if (host === "") {
      report.refuse("tool-address-missing", `Its tool ${name} has no address of a site. Enter it.`, "baseUrl");
      return {};
    }
    return { baseUrl: /^https?:\/\//i.test(host) ? host : `https://${host}` };
  },
});

const stripeActions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  paymentLinks: { create: ["createPaymentLink"], update: ["updatePaymentLink"], read: ["listPaymentLinks"] },
  products: { create: ["createProduct"], update: ["updateProduct"], read: ["listProducts"] },
  prices: { create: ["createPrice"], update: ["updatePrice"], read: ["listPrices"] },
  balance: { create: ["create balance"], update: ["update balance"], read: ["retrieveBalance"] },
  invoiceItems: { create: ["createInvoiceItem"], update: ["updateInvoiceItem"], read: ["listInvoiceItems"] },
  invoices: { create: ["createInvoice"], update: ["updateInvoice", "finalizeInvoice"], read: ["listInvoices"] },
  customers: { create: ["createCustomer"], update: ["updateCustomer"], read: ["listCustomers"] },
};

const stripeAgentTool = convertVendor({
  type: "stripe",
  chosen: (settings) =>
    Object.entries(stripeActions).flatMap(([resource, actions]) =>
      settings.names(resource).flatMap((right) => (Object.hasOwn(actions, right) ? (actions[right] ?? []) : [])),
    ),
  unavailable: new Set(["create balance", "update balance"]),
  credential: "one with a secret or restricted key",
  toArgument: () => undefined,
});

function toLowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

const googleCalendarTool = convertVendor({
  type: "google-calendar",
  chosen: ofGroup("calendarType", {
    event: "eventActions",
    calendar: "calendarActions",
    freebusy: "freebusyActions",
  }),
  toArgument: settingsOf({
    "listEvents createEvent getEvent updateEvent deleteEvent quickAddEvent": "calendarId",
    "getEvent updateEvent deleteEvent": "eventId",
    "createEvent updateEvent":
      "summary description location startDateTime endDateTime timeZone allDay startDate endDate attendees sendUpdates recurrence reminderMinutes visibility",
    quickAddEvent: "quickAddText",
    listEvents: "timeMin timeMax maxResults singleEvents orderBy query",
    "getCalendar updateCalendar deleteCalendar clearCalendar": "calendarIdForCalendar:calendarId",
    "createCalendar updateCalendar":
      "calendarSummary:summary calendarDescription:description calendarLocation:location calendarTimeZone:timeZone",
    listCalendars: "showHidden minAccessRole",
    queryFreebusy: "freebusyTimeMin:timeMin freebusyTimeMax:timeMax calendarIds groupExpansionMax calendarExpansionMax",
  }),
  on: ["singleEvents"],
});

const googleDocsTool = convertVendor({
  type: "google-docs",
  chosen: (settings) => settings.names("actions"),
  toArgument: settingsOf({
    "getDocument updateDocument insertText replaceText appendText getTextContent insertImage createTable": "documentId",
    createDocument: "title",
    "createDocument updateDocument insertText appendText": "text",
    "createDocument updateDocument insertText insertImage createTable": "index",
    "updateDocument replaceText": "replaceText newText matchCase",
    "createDocument updateDocument insertImage": "imageUrl",
    "createDocument updateDocument createTable": "rows columns",
    "getDocument getTextContent": "includeTabsContent",
  }),
});

const googleDriveTool = convertVendor({
  type: "google-drive",
  chosen: ofGroup("driveType", {
    file: "fileActions",
    folder: "folderActions",
    search: "searchActions",
    share: "shareActions",
  }),
  toArgument: settingsOf({
    "getFile updateFile deleteFile copyFile downloadFile shareFile getPermissions removePermission": "fileId",
    "listFolderContents deleteFolder": "folderId",
    removePermission: "permissionId",
    "createFile copyFile createFolder": "fileName parentFolderId",
    createFile: "fileContent mimeType",
    "createFile updateFile createFolder": "description",
    searchFiles: "searchQuery",
    "listFiles searchFiles": "maxResults orderBy includeItemsFromAllDrives",
    shareFile: "shareRole shareType emailAddress domainName sendNotificationEmail emailMessage",
    "listFiles getFile createFile updateFile deleteFile copyFile downloadFile": "supportsAllDrives",
    "createFolder listFolderContents deleteFolder": "supportsAllDrives",
    "searchFiles shareFile getPermissions removePermission": "supportsAllDrives",
    "listFiles getFile": "fields",
    "getFile downloadFile": "acknowledgeAbuse",
  }),
  on: ["sendNotificationEmail"],
});

const googleSheetsTool = convertVendor({
  type: "google-sheets",
  chosen: ofGroup("sheetsType", { spreadsheet: "spreadsheetActions", values: "valuesActions" }),
  toArgument: settingsOf({
    "getSpreadsheet updateSpreadsheet": "spreadsheetId",
    "getValues updateValues appendValues clearValues batchGetValues batchUpdateValues batchClearValues":
      "spreadsheetId",
    "createSpreadsheet updateSpreadsheet": "title",
    createSpreadsheet: "sheetCount",
    getSpreadsheet: "includeGridData",
    "getValues updateValues clearValues": "range",
    "batchGetValues batchClearValues": "ranges",
    "updateValues appendValues batchUpdateValues": "values valueInputOption",
    "getValues batchGetValues": "valueRenderOption dateTimeRenderOption",
    appendValues: "insertDataOption",
    "getValues updateValues appendValues batchGetValues batchUpdateValues": "majorDimension",
  }),
});

export const vendorTools: Readonly<Record<string, ToolConverter>> = {
  gmail,
  googleCalendarTool,
  googleDocsTool,
  googleDriveTool,
  googleSheetsTool,
  jiraTool,
  microsoftOutlook,
  microsoftTeams,
  stripeAgentTool,
};
