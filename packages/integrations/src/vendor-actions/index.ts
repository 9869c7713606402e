export { gmail } from "./gmail.ts";
export { microsoftTeams } from "./microsoft-teams.ts";
