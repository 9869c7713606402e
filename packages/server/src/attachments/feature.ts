import { defineFeature } from "../feature.ts";
import { attachmentRoutes } from "./attachment.routes.ts";
import { createAttachmentService } from "./attachment.service.ts";

export const attachments = defineFeature({
  name: "attachments",
  needs: ["chats", "documents", "runnables"],
  service: createAttachmentService,
  routes: attachmentRoutes,
});
