import { Text } from "@mantine/core";

/** Secondary text: what explains, qualifies or stands in for what is beside it. */
export const Hint = Text.withProps({ size: "sm", c: "dimmed" });
