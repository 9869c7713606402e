export { EditedPin } from "./edited-pin.tsx";
export { ReplayButton } from "./replay-button.tsx";
