export { gmail } from "./gmail.ts";
export { googleCalendar } from "./google-calendar.ts";
export { googleDocs } from "./google-docs.ts";
export { googleDrive } from "./google-drive.ts";
export { googleSheets } from "./google-sheets.ts";
export { jira } from "./jira.ts";
export { microsoftOutlook } from "./microsoft-outlook.ts";
export { microsoftTeams } from "./microsoft-teams.ts";
