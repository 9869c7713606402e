import { integrationStatements } from "./integration-statements.ts";
import { platformStatements } from "./platform-statements.ts";
import { everyField, type Proof, testFiles } from "./proof.ts";

/** A sentence of the reference. `difference`: what is deliberately otherwise, and why. */
export type Statement = { section: string; text: string; proof: Proof; difference?: string };

/** Every sentence of the reference that is neither a field nor a row, in its order. */
export const statements: readonly Statement[] = Object.entries({
  ...platformStatements,
  ...integrationStatements,
}).flatMap(([section, list]) =>
  list.map(([text, file, test, difference]) => ({
    section,
    text,
    proof: { file: testFiles[file], test },
    ...(difference !== undefined && { difference }),
  })),
);

export const fieldProof: Proof = { file: testFiles.fields, test: everyField };
export const statusProof: Proof = {
  file: testFiles.conformance,
  test: `\${operation.method} \${operation.path} answers \${status} to \${how}`,
};
export const additionProof: Proof = {
  file: testFiles.fields,
  test: "no resource has a field that neither the reference nor the table of additions names",
};
export const otherStatusProof: Proof = {
  file: testFiles.check,
  test: "a row answers its own statuses, and others for a reason alone",
};
export const shapeProof: Proof = {
  file: testFiles.check,
  test: "every row takes and answers what the reference names",
};
