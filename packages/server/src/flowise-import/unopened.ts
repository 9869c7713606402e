/** Why sealed data came without its values, for the report. */
export const unopened = {
  "no-key": "no key was given",
  "wrong-key": "the key does not open it",
  "secrets-manager": "its values are in AWS Secrets Manager",
  damaged: "it is damaged",
} as const;
