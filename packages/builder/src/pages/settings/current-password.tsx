import { PasswordInput } from "@mantine/core";
import { settingsStrings } from "../../strings/settings.ts";

type Props = { value: string; onChange(password: string): void };

/** Proof that it is the owner of the account who changes it. */
export function CurrentPassword({ value, onChange }: Props) {
  return (
    <PasswordInput
      label={settingsStrings.currentPassword}
      autoComplete="current-password"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
