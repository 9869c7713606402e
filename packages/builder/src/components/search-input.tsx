import { CloseButton, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { commonStrings } from "../strings/common.ts";

type Props = { label: string; value: string; onChange: (value: string) => void };

export function SearchInput({ label, value, onChange }: Props) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={
        value !== "" && <CloseButton size="sm" aria-label={commonStrings.clearSearch} onClick={() => onChange("")} />
      }
      w={{ base: "100%", xs: 280 }}
    />
  );
}
