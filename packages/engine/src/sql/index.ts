export { reviewDatabase, type SqlSettings, sqlFields, toCall } from "./sql-settings.ts";
export { toContent } from "./to-content.ts";
