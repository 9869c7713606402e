export { PublishDialog } from "./publish-dialog.tsx";
export { type Publishing, usePublishing } from "./use-publishing.ts";
export { VersionsDrawer } from "./versions-drawer.tsx";
