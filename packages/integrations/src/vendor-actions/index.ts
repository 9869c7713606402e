export { gmail } from "./gmail.ts";
export { googleCalendar } from "./google-calendar.ts";
export { microsoftTeams } from "./microsoft-teams.ts";
