import { z } from "zod";

/** The answer of `GET /chatflows-streaming/{id}`. */
export const streamingInfoSchema = z.object({ isStreaming: z.boolean() }).meta({ id: "StreamingInfo" });

const sizeAndTypesSchema = z.object({
  fileTypes: z.array(z.string()).meta({ description: "Media types" }),
  maxUploadSize: z.number().meta({ description: "Megabytes" }),
});

/** Files that an agent accepts with a message. */
export const uploadInfoSchema = z
  .object({
    isSpeechToTextEnabled: z.boolean(),
    isImageUploadAllowed: z.boolean(),
    isRAGFileUploadAllowed: z.boolean(),
    imgUploadSizeAndTypes: z.array(sizeAndTypesSchema),
    fileUploadSizeAndTypes: z.array(sizeAndTypesSchema),
  })
  .meta({
    id: "UploadInfo",
    examples: [
      {
        isSpeechToTextEnabled: false,
        isImageUploadAllowed: true,
        isRAGFileUploadAllowed: false,
        imgUploadSizeAndTypes: [{ fileTypes: ["image/png", "image/jpeg"], maxUploadSize: 5 }],
        fileUploadSizeAndTypes: [],
      },
    ],
  });
export type UploadInfo = z.infer<typeof uploadInfoSchema>;

const lookValueSchema = z.union([z.string(), z.number(), z.boolean()]);
/** Colours, sizes, texts and switches by name. */
const lookSchema = z.record(z.string(), z.union([lookValueSchema, z.record(z.string(), lookValueSchema)]));
const statusSchema = z.object({ status: z.boolean() });
const leadField = z.boolean().optional();

/** What a chat shows of its agent besides what clients of Flowise know. */
export const chatAppearanceSchema = z.strictObject({
  description: z.string().max(500).optional(),
  avatarEmoji: z
    .string()
    .max(32)
    // No pattern of the API's description: JSON Schema has no sets of strings.
    .refine((text) => /^\p{RGI_Emoji}$/v.test(text), "must be one emoji")
    .optional()
    .meta({ description: "One emoji" }),
  colorScheme: z.enum(["light", "dark"]).optional().meta({ description: "If absent, the visitor's" }),
});

/** The part of an agent's `chatbotConfig` that chat clients can read: everything else stays on the server. */
export const chatLookSchema = z.object({
  title: z.string().optional(),
  titleAvatarSrc: z.string().optional(),
  titleBackgroundColor: z.string().optional(),
  titleTextColor: z.string().optional(),
  showTitle: z.boolean().optional(),
  welcomeMessage: z.string().optional(),
  welcomeText: z.string().optional(),
  errorMessage: z.string().optional(),
  backgroundColor: z.string().optional(),
  backgroundImage: z.string().optional(),
  bubbleBackgroundColor: z.string().optional(),
  bubbleTextColor: z.string().optional(),
  poweredByTextColor: z.string().optional(),
  badgeBackgroundColor: z.string().optional(),
  fontSize: z.number().optional(),
  height: z.number().optional(),
  width: z.number().optional(),
  customCSS: z.string().optional(),
  sourceDocsTitle: z.string().optional(),
  showAgentMessages: z.boolean().optional(),
  renderHTML: z.boolean().optional(),
  clearChatOnReload: z.boolean().optional(),
  starterPromptFontSize: z.number().optional(),
  generateNewSession: z.boolean().optional(),
  displayFeedback: z.boolean().optional(),
  botMessage: lookSchema.optional(),
  userMessage: lookSchema.optional(),
  textInput: lookSchema.optional(),
  feedback: lookSchema.optional(),
  footer: lookSchema.optional(),
  dateTimeToggle: lookSchema.optional(),
  button: lookSchema.optional(),
  tooltip: lookSchema.optional(),
  disclaimer: lookSchema.optional(),
  chatWindow: lookSchema.optional(),
  appearance: chatAppearanceSchema.optional(),
  overrideConfig: z.object({ generateNewSession: z.boolean().optional() }).optional(),
  starterPrompts: z.record(z.string(), z.object({ prompt: z.string() })).optional(),
  chatFeedback: statusSchema.optional(),
  followUpPrompts: statusSchema.optional(),
  leads: z
    .object({
      status: z.boolean(),
      title: z.string().optional(),
      successMessage: z.string().optional(),
      name: leadField,
      email: leadField,
      phone: leadField,
    })
    .optional(),
  fullFileUpload: z
    .object({
      status: z.boolean(),
      allowedUploadFileTypes: z.string().optional().meta({ description: "Media types, separated by commas" }),
      maxUploadSize: z.number().optional().meta({ description: "Megabytes" }),
    })
    .optional(),
});
export type ChatLook = z.infer<typeof chatLookSchema>;

/** Text-to-speech services, by their names in `textToSpeech` of an agent's `chatbotConfig`. */
export const voiceServices = { openai: "OpenAI", elevenlabs: "ElevenLabs" } as const;
export type VoiceServiceName = keyof typeof voiceServices;
export const voiceServiceNames = ["openai", "elevenlabs"] as const satisfies readonly VoiceServiceName[];

/** The form that an agent shows in place of a message. */
export const startFormSchema = z
  .object({
    title: z.string(),
    description: z.string(),
    fields: z.array(
      z.object({
        name: z.string().meta({ description: "Key in the `form` of a prediction request" }),
        label: z.string().meta({ description: "If empty, the name is used" }),
        type: z.enum(["string", "number", "boolean", "options"]),
        options: z.array(z.string()),
        required: z.boolean(),
        default: lookValueSchema.optional(),
      }),
    ),
  })
  .meta({
    id: "StartForm",
    examples: [
      {
        title: "Book a table",
        description: "",
        fields: [{ name: "guests", label: "Guests", type: "number", options: [], required: true, default: 2 }],
      },
    ],
  });
export type StartForm = z.infer<typeof startFormSchema>;

/** The answer of `GET /public-chatbotConfig/{id}`. */
export const chatConfigSchema = chatLookSchema
  .extend({
    name: z
      .string()
      .meta({ description: "The agent's name, at most 200 characters. Chats show it if `title` is absent." }),
    uploads: uploadInfoSchema,
    flowData: z.string().meta({
      description:
        "JSON text of a start node in AgentFlow V2 format. It shows whether the agent takes a message or a form, and nothing else of the flow.",
      examples: [
        '{"nodes":[{"id":"startAgentflow_0","data":{"name":"startAgentflow","inputs":{"startInputType":"chatInput"}}}],"edges":[]}',
      ],
    }),
    isTTSEnabled: z.boolean(),
    form: startFormSchema.optional().meta({ description: "Absent if the agent takes messages" }),
    isRehearsal: z
      .boolean()
      .meta({ description: "Whether the agent uses the rehearsal model, which follows rules and is not an AI" }),
  })
  .meta({ id: "ChatConfig" });
export type ChatConfig = z.infer<typeof chatConfigSchema>;

/** Whether public agents answer without credentials. */
export const publicAccessSchema = z
  .object({
    isAllowed: z.boolean(),
    isFixed: z.boolean().meta({ description: "The server's environment decides: it cannot be chosen over the API." }),
  })
  .meta({ id: "PublicAccess", examples: [{ isAllowed: false, isFixed: false }] });
export type PublicAccess = z.infer<typeof publicAccessSchema>;

export const publicAccessChoiceSchema = z
  .strictObject({ isAllowed: z.boolean() })
  .meta({ id: "PublicAccessChoice", examples: [{ isAllowed: true }] });
