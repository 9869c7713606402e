import { PasswordInput, TextInput } from "@mantine/core";
import type { CredentialType } from "@weft/client";
import { credentialsStrings } from "../strings/credentials.ts";

type Values = Readonly<Record<string, string>>;

type Props = {
  fields: CredentialType["fields"];
  values: Values;
  /** Whether the server holds a value of the field already; that one is kept while the field stays empty. */
  isStored?: (name: string) => boolean;
  onChange: (values: Record<string, string>) => void;
};

/** One input for each value of a kind of credential. */
export function CredentialFields({ fields, values, isStored = () => false, onChange }: Props) {
  return fields.map(({ name, title, help, secret, required }) => {
    const Input = secret ? PasswordInput : TextInput;
    return (
      <Input
        key={name}
        label={required ? title : credentialsStrings.optional(title)}
        description={help}
        placeholder={isStored(name) ? credentialsStrings.keepsValue : ""}
        required={required && !isStored(name)}
        withAsterisk={false}
        // A password manager would offer to keep what belongs to the server alone.
        autoComplete={secret ? "new-password" : "off"}
        value={values[name] ?? ""}
        onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
      />
    );
  });
}
