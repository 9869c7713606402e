/** Settings of an agent that only one site's pages may ask. */
export const chatbotConfig = JSON.stringify({ allowedOrigins: ["https://a.example"] });

/** Headers of a request by a page of another site. */
export const headers = { origin: "https://b.example" };

export const how = "a page that the agent does not allow";
