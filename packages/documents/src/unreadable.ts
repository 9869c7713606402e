/** Why a document cannot be read, as the end of the sentence "{name} cannot be read: …". */
export class Unreadable extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "Unreadable";
    this.reason = reason;
  }
}

export const damagedZip = "its zip archive is damaged";
export const tooLong = (limit: number) => `its text is longer than ${limit} characters; split it`;
export const withoutText = "it contains no text";

/** Maximum nesting in HTML and XML. */
export const maxDepth = 5_000;
export const tooDeep = `its elements are nested more than ${maxDepth} levels deep`;
