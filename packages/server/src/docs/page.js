/** Shows openapi.json. The token that a reader enters stays in the memory of the page. */
window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#page",
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
