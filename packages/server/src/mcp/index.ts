export { readCommandSettings } from "./command-settings.ts";
