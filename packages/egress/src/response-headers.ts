/** Header values as received, names in lower case; a repeated header is a list. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;
