export { convertSequential } from "./convert-sequential.ts";
