/** A fault planted on purpose: `original` stands once in `file`, and one of the tests must notice its replacement. */
export type Mutant = { name: string; file: string; original: string; replacement: string; tests: readonly string[] };
