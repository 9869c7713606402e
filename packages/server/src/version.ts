import manifest from "../package.json" with { type: "json" };

/** Version of the server. */
export const version: string = manifest.version;
