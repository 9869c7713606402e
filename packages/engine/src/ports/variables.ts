import type { JsonObject } from "@weft/schema";

/** Platform variables that templates read as `$vars.name`. */
export type Variables = { all(): Promise<JsonObject> };
