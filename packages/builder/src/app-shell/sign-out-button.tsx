import { LogOut } from "lucide-react";
import { signOut } from "../session/sign-out.ts";
import { shellStrings } from "../strings/shell.ts";
import { NavigationButton, type NavigationLooks } from "./navigation-button.tsx";

export function SignOutButton(looks: NavigationLooks) {
  return <NavigationButton {...looks} icon={LogOut} label={shellStrings.signOut} onClick={() => void signOut()} />;
}
