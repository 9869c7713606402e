import { z } from "zod";

/** An absolute http(s) address. */
export const urlField = z
  .string()
  .trim()
  .max(8_000)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "Enter an address that begins with https://");

/** Request settings of every page. */
export const requestFields = {
  headers: z.record(z.string(), z.string().max(8_000)).optional().meta({
    title: "Headers",
    help: "Only sent to the site of the address.",
    widget: "key-value",
    advanced: true,
  }),
  credential: z
    .string()
    .max(100)
    .optional()
    .meta({
      title: "Credential",
      help: "A token, a user name and password, or a header. It is only sent to the site of the address.",
      widget: "credential",
      ref: "credential",
      goesTo: [{ address: "url" }],
      advanced: true,
    }),
  timeoutMs: z.number().int().min(1).max(600_000).default(30_000).meta({ title: "Time limit (ms)", advanced: true }),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(50_000_000)
    .default(5_000_000)
    .meta({ title: "Largest answer (bytes)", advanced: true }),
};

export type RequestSettings = z.infer<z.ZodObject<typeof requestFields>>;

/** Extraction settings of a page. */
export const pageFields = {
  selector: z.string().max(1_000).optional().meta({
    title: "Parts of the page",
    help: "A CSS selector of tags, #ids, .classes and [attributes], such as article .content.",
    advanced: true,
  }),
  mainContent: z.boolean().default(true).meta({
    title: "Main content only",
    help: "Leaves out navigation, sidebars, footers and form fields.",
    advanced: true,
  }),
};

export type PageSettings = z.infer<z.ZodObject<typeof pageFields>>;
