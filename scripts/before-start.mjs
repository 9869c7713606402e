// What `npm start` does once the packages are there: asks for the embedder's runtime and makes the builder. Its options are
// those of the two, which read them themselves.
import "./embedder/install.mjs";
import "./ensure-builder.mjs";
