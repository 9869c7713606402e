import { ColorInput, ColorSwatch, Group, Stack } from "@mantine/core";
import { Check } from "../../../../icons/icons.gen.ts";
import { shareStrings } from "../../../../strings.ts";
import { Hint } from "../../../../ui/text/hint.tsx";
import { type Appearance, judgeColour } from "./appearance.ts";

const { appearance: strings } = shareStrings;

/** Each is seen on white and on black, and white or black is read on it. */
const swatches = {
  "#5b5bd6": strings.colours.violet,
  "#2563eb": strings.colours.blue,
  "#0f766e": strings.colours.teal,
  "#15803d": strings.colours.green,
  "#c2410c": strings.colours.orange,
  "#dc2626": strings.colours.red,
  "#be185d": strings.colours.pink,
  "#64748b": strings.colours.grey,
};

type Props = {
  draft: Appearance;
  change(changed: Partial<Appearance>): void;
  mistakes: readonly string[];
};

/** The colour of an agent's chat, with what it means for those who read on it. */
export function ColourField({ draft: { colour, scheme }, change, mistakes }: Props) {
  const judged = judgeColour(colour, scheme);
  return (
    <Stack gap="xs">
      <ColorInput
        label={strings.colour}
        placeholder={strings.ownColour}
        format="hex"
        value={colour}
        onChange={(chosen) => change({ colour: chosen })}
        error={mistakes.includes("colour") && strings.badColour}
        withEyeDropper={false}
        eyeDropperButtonProps={{ "aria-label": strings.colour }}
      />
      <Group gap={8} role="group" aria-label={strings.swatches}>
        {Object.entries(swatches).map(([value, name]) => (
          <ColorSwatch
            key={value}
            component="button"
            type="button"
            color={value}
            size={28}
            aria-label={name}
            aria-pressed={colour.toLowerCase() === value}
            onClick={() => change({ colour: value })}
            style={{ color: "#fff", cursor: "pointer" }}
          >
            {colour.toLowerCase() === value && <Check size={14} aria-hidden />}
          </ColorSwatch>
        ))}
      </Group>
      {judged && (
        <Hint size="xs" role="status">
          {strings.contrast[judged.text]({ ratio: Math.round(judged.ratio * 10) / 10 })}{" "}
          {judged.faintOn.map((one) => strings.faint[one]).join(" ")}
        </Hint>
      )}
    </Stack>
  );
}
