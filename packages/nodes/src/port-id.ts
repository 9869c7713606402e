import { errorPort } from "@weft/schema";
import { z } from "zod";

/** Port that is taken when nothing else fits. */
export const elsePort = "else";

/** Id of a port that the author of a flow names. Edges leave from it, so it stays when its title changes. */
export const portId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, "must be 1 to 100 letters, digits, _ or -")
  .refine((id) => id !== errorPort && id !== elsePort, `is the id of a port that is always there`)
  .meta({ title: "Id", help: "Edges leave from here.", widget: "port-id" });
