// What `npm start` does once the packages are there: makes the builder, then asks for the embedder's runtime, whose download
// would take the processor from the build. Its options are those of the two, which read them themselves.
await import("./ensure-builder.mjs");
await import("./embedder/install.mjs");
