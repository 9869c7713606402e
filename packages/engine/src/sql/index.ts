export { reviewDatabase, type SqlSettings, sqlFields, toCall, toContent } from "./sql-settings.ts";
