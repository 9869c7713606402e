import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { Moon, Sun } from "lucide-react";
import { shellStrings } from "../strings/shell.ts";
import { NavigationButton, type NavigationLooks } from "./navigation-button.tsx";

/** Changes between light and dark. Until it is used the system's choice holds. */
export function ColorSchemeToggle(looks: NavigationLooks) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  return (
    <NavigationButton
      {...looks}
      icon={isDark ? Sun : Moon}
      label={isDark ? shellStrings.lightColours : shellStrings.darkColours}
      onClick={() => setColorScheme(isDark ? "light" : "dark")}
    />
  );
}
