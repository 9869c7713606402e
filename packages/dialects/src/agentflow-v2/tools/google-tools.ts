import { convertVendor, ofGroup, settingsOf } from "./convert-vendor.ts";
import type { ToolConverter } from "./tool-converter.ts";

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

export const googleTools: Readonly<Record<string, ToolConverter>> = {
  googleCalendarTool,
  googleDocsTool,
  googleDriveTool,
  googleSheetsTool,
};
