export { notices } from "./feature.ts";
