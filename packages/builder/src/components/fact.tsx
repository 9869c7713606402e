import { Text } from "@mantine/core";

export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm">{value}</Text>
    </div>
  );
}
