/** In place of the builder where nobody has built it, as in a clone started without npm. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Weft: the builder is not built</title>
    <style>
      body { margin: 12vh auto; max-width: 34rem; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif; }
      code { padding: 0.1em 0.4em; border-radius: 0.3em; background: color-mix(in srgb, currentColor 10%, transparent); }
    </style>
  </head>
  <body>
    <h1>The builder is not built yet</h1>
    <p>The server runs and its API answers. Its web interface is made by a build step that was not taken.</p>
    <p>Stop the server and start it with <code>npm start</code>, which builds the interface when it is missing; or run
      <code>npm run builder</code> and reload this page.</p>
    <p><a href="/docs">API documentation</a></p>
  </body>
</html>
`;
