import { Radio, Stack } from "@mantine/core";

type Props<Value extends string> = {
  label: string;
  options: readonly { value: Value; label: string; hint?: string | undefined }[];
  value: Value;
  onChange(value: Value): void;
};

/** One of a few options, each with what it means. */
export function Choice<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const choose = (chosen: string) => onChange(options.find((option) => option.value === chosen)?.value ?? value);
  return (
    <Radio.Group label={label} value={value} onChange={choose}>
      <Stack gap="xs" mt="xs">
        {options.map((option) => (
          <Radio key={option.value} value={option.value} label={option.label} description={option.hint} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
