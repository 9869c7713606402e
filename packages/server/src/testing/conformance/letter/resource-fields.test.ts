import assert from "node:assert/strict";
import { test } from "node:test";
import { onTestDatabase } from "../../../../../database/src/testing/test-databases.ts";
import { addedFields, fieldTypes, type ResourceName, resourceFields } from "./resource-fields.ts";
import { openWitness } from "./testing/open-witness.ts";

await onTestDatabase((databases) => {
  test("every resource has every field of the reference, with its type", async (t) => {
    const witness = await openWitness(t, databases);
    const mistakes = Object.entries(resourceFields).flatMap(([resource, fields]) =>
      Object.entries(fields).flatMap(([field, type]) => {
        const value = witness[resource as ResourceName][field];
        const { error } = fieldTypes[type].safeParse(value);
        return error ? [`${resource}.${field} is ${JSON.stringify(value)}: ${error.issues[0]?.message}`] : [];
      }),
    );
    assert.deepEqual(mistakes, []);
  });

  test("no resource has a field that neither the reference nor the table of additions names", async (t) => {
    const witness = await openWitness(t, databases);
    for (const [resource, fields] of Object.entries(resourceFields)) {
      const [added] = addedFields[resource as ResourceName] ?? [[]];
      const shown = Object.keys(witness[resource as ResourceName]).toSorted();
      assert.deepEqual(shown, [...Object.keys(fields), ...added].toSorted(), resource);
    }
  });
});
