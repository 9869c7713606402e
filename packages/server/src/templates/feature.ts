import { defineFeature } from "../feature.ts";
import { templateRoutes } from "./template.routes.ts";

export const templates = defineFeature({ name: "templates", routes: templateRoutes });
