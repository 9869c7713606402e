import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { convertNode } from "../../testing/foreign-file.ts";

/** The native tool of a tool node with that component, and the findings. */
function convert(name: string, settings: JsonObject) {
  const { config, codes } = convertNode("toolAgentflow_0", {
    toolAgentflowSelectedTool: name,
    toolAgentflowSelectedToolConfig: { FLOWISE_CREDENTIAL_ID: "c", ...settings },
  });
  return { tool: config.tool, codes };
}

describe("tools of a vendor", () => {
  it("keep their actions and what was entered for them", () => {
    const gmail = {
      gmailType: "messages",
      messageActions: '["sendMessage","listMessages"]',
      labelActions: '["deleteLabel"]',
      messageTo: "desk@example.org",
      messageMaxResults: "5",
      draftTo: "of another group",
      labelName: "of another group",
    };
    assert.deepEqual(convert("gmail", { ...gmail, messageActions: '["sendMessage"]' }), {
      tool: {
        type: "gmail",
        config: { credential: "c", actions: ["sendMessage"], defaults: { to: "desk@example.org", maxResults: 5 } },
      },
      codes: [],
    });
    assert.deepEqual(convert("gmail", gmail).codes, ["warning tool-ambiguous"]);
    const teams = {
      teamsType: "chatMessage",
      chatMessageActions: '["replyToMessage"]',
      chatChannelIdSendMessage: "of another action",
      chatChannelIdReplyMessage: "19:abc",
      replyBodyReplyMessage: "{{ question }}",
    };
    assert.deepEqual(convert("microsoftTeams", teams).tool, {
      type: "microsoft-teams",
      config: {
        credential: "c",
        actions: ["replyToMessage"],
        defaults: { chatChannelId: "19:abc", replyBody: "{{ question }}" },
      },
    });
  });

  it("keep switches that are off where they would be on", () => {
    const listing = { calendarType: "event", eventActions: '["listEvents"]' };
    const off = convert("googleCalendarTool", { ...listing, singleEvents: false, showHidden: false });
    assert.deepEqual(off.tool, {
      type: "google-calendar",
      config: { credential: "c", actions: ["listEvents"], defaults: { singleEvents: "false" } },
    });
  });

  it("take what each group of Google Calendar was given", () => {
    const shared = { calendarId: "primary", calendarIdForCalendar: "c1", calendarSummary: "Team" };
    const calendar = { ...shared, calendarType: "calendar", calendarActions: '["updateCalendar"]' };
    assert.deepEqual(convert("googleCalendarTool", calendar).tool, {
      type: "google-calendar",
      config: {
        credential: "c",
        actions: ["updateCalendar"],
        defaults: { calendarId: "c1", summary: "Team" },
      },
    });
    const times = { freebusyTimeMin: "a", freebusyTimeMax: "b", calendarIds: "c", groupExpansionMax: 3 };
    const busy = { ...times, calendarType: "freebusy", freebusyActions: '["queryFreebusy"]', timeMin: "of events" };
    assert.deepEqual(convert("googleCalendarTool", busy).tool, {
      type: "google-calendar",
      config: {
        credential: "c",
        actions: ["queryFreebusy"],
        defaults: { timeMin: "a", timeMax: "b", calendarIds: "c", groupExpansionMax: "3" },
      },
    });
  });

  it("take what Microsoft Outlook was given for each action", () => {
    const given = { subjectCreateDraftMessage: "Plan", toSendMessage: "ana@example.org", forwardToForwardMessage: "b" };
    const actions = ["createDraftMessage", "sendMessage"];
    const mails = {
      outlookType: "message",
      messageActions: JSON.stringify(actions),
      calendarIdGetCalendar: "of others",
    };
    assert.deepEqual(convert("microsoftOutlook", { ...given, ...mails }).tool, {
      type: "microsoft-outlook",
      config: {
        credential: "c",
        actions,
        defaults: { "createDraftMessage.subject": "Plan", "sendMessage.to": "ana@example.org" },
      },
    });
    const listing = { outlookType: "calendar", calendarActions: '["listEvents"]', maxResultsListEvents: 5 };
    assert.deepEqual(convert("microsoftOutlook", listing).tool, {
      type: "microsoft-outlook",
      config: { credential: "c", actions: ["listEvents"], defaults: { maxResults: 5 } },
    });
  });

  it("take what Google Docs was given, whose actions have no groups", () => {
    const settings = { documentId: "d", index: 1, text: "Hi", title: "of another action", matchCase: false };
    assert.deepEqual(convert("googleDocsTool", { ...settings, actions: '["insertText"]' }).tool, {
      type: "google-docs",
      config: { credential: "c", actions: ["insertText"], defaults: { documentId: "d", index: "1", text: "Hi" } },
    });
  });

  it("take what Google Drive was given for files, folders and shares", () => {
    const shared = { fileId: "1", fileName: "a", folderId: "of folders", shareRole: "reader", maxResults: "10" };
    const sharing = { driveType: "share", shareActions: '["shareFile"]', sendNotificationEmail: false };
    assert.deepEqual(convert("googleDriveTool", { ...shared, ...sharing }).tool, {
      type: "google-drive",
      config: {
        credential: "c",
        actions: ["shareFile"],
        defaults: { fileId: "1", shareRole: "reader", sendNotificationEmail: "false" },
      },
    });
    const making = { driveType: "folder", folderActions: '["createFolder"]', supportsAllDrives: true };
    assert.deepEqual(convert("googleDriveTool", { ...shared, ...making }).tool, {
      type: "google-drive",
      config: {
        credential: "c",
        actions: ["createFolder"],
        defaults: { fileName: "a", supportsAllDrives: "true" },
      },
    });
  });

  it("take what Google Sheets was given for cells", () => {
    const shared = { spreadsheetId: "s", title: "of spreadsheets", ranges: "of several", values: "[[1]]" };
    const cells = {
      ...shared,
      sheetsType: "values",
      valuesActions: '["appendValues"]',
      insertDataOption: "INSERT_ROWS",
    };
    assert.deepEqual(convert("googleSheetsTool", { ...cells, majorDimension: "ROWS" }).tool, {
      type: "google-sheets",
      config: {
        credential: "c",
        actions: ["appendValues"],
        defaults: { spreadsheetId: "s", values: "[[1]]", insertDataOption: "INSERT_ROWS", majorDimension: "ROWS" },
      },
    });
  });

  it("keep values for the action that they were given for, and report one that another takes the place of", () => {
    const teams = { teamsType: "chatMessage", chatMessageActions: '["getMessage","deleteMessage"]' };
    const { tool, codes } = convert("microsoftTeams", {
      ...teams,
      messageIdGetMessage: "1",
      messageIdDeleteMessage: "2",
    });
    assert.deepEqual(codes, ["warning tool-ambiguous"]);
    assert.deepEqual(tool, {
      type: "microsoft-teams",
      config: {
        credential: "c",
        actions: ["getMessage", "deleteMessage"],
        defaults: { "getMessage.messageId": "1", "deleteMessage.messageId": "2" },
      },
    });
    const members = {
      teamsType: "chat",
      chatActions: '["addChatMember"]',
      chatIdChatMembers: "1",
      chatIdChatMember: "1",
    };
    assert.deepEqual(convert("microsoftTeams", members).codes, []);
    const other = convert("microsoftTeams", { ...members, chatIdChatMember: "2" });
    assert.deepEqual(other.codes, ["warning tool-settings-ignored"]);
  });

  it("take what Jira was given, and report what its API has no place for", () => {
    const site = { jiraHost: "https://ops.atlassian.net", jiraType: "issues" };
    const listing = {
      ...site,
      issueActions: '["listIssues"]',
      projectKey: "OPS",
      issueMaxResults: 10,
      issueKey: "OPS-1",
    };
    assert.deepEqual(convert("jiraTool", listing), {
      tool: {
        type: "jira",
        config: {
          credential: "c",
          baseUrl: "https://ops.atlassian.net",
          actions: ["listIssues"],
          defaults: { projectKey: "OPS", maxResults: 10 },
        },
      },
      codes: [],
    });
    const users = { jiraType: "users", userActions: '["createUser","updateUser"]', userDisplayName: "Ana" };
    const odd = convert("jiraTool", {
      ...users,
      jiraHost: "jira.example.org",
      enableSSL: true,
      FLOWISE_CREDENTIAL_ID: "",
    });
    assert.deepEqual(odd.tool, {
      type: "jira",
      config: { baseUrl: "https://jira.example.org", actions: ["createUser"] },
    });
    assert.deepEqual(odd.codes, [
      "warning tool-action-unavailable",
      "error tool-credential-missing",
      "warning tool-settings-ignored",
    ]);
    assert.deepEqual(convert("jiraTool", { ...listing, jiraHost: "" }).codes, ["error tool-address-missing"]);
  });

  it("report how many channels of Microsoft Teams were to be listed, since it lists all", () => {
    const listing = { teamsType: "channel", channelActions: '["listChannels"]', maxResultsListChannels: 5 };
    assert.deepEqual(convert("microsoftTeams", listing).codes, ["warning tool-settings-ignored"]);
  });

  it("take what may be done with each resource of Stripe", () => {
    const rights = {
      products: '["create","constructor","read"]',
      invoices: '["update"]',
      balance: '["read","update"]',
    };
    assert.deepEqual(convert("stripeAgentTool", rights), {
      tool: {
        type: "stripe",
        config: {
          credential: "c",
          actions: ["createProduct", "listProducts", "retrieveBalance", "updateInvoice", "finalizeInvoice"],
        },
      },
      codes: ["warning tool-action-unavailable", "warning tool-ambiguous"],
    });
    const { codes } = convert("stripeAgentTool", { customers: '["read"]', FLOWISE_CREDENTIAL_ID: "" });
    assert.deepEqual(codes, ["error tool-credential-missing"]);
    assert.deepEqual(convert("stripeAgentTool", {}).codes, ["warning tool-actions-missing"]);
  });

  it("say what they do not offer, and what is to be chosen", () => {
    const teams = { teamsType: "chat", chatActions: '["pinMessage","getChat"]', FLOWISE_CREDENTIAL_ID: "" };
    const { tool, codes } = convert("microsoftTeams", teams);
    assert.deepEqual(tool, { type: "microsoft-teams", config: { actions: ["getChat"] } });
    assert.deepEqual(codes, ["warning tool-action-unavailable", "error tool-credential-missing"]);
    const none = convert("gmail", { gmailType: "messages", messageActions: "[]" });
    assert.deepEqual(none, { tool: undefined, codes: ["warning tool-actions-missing"] });
  });
});
