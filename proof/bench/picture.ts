import { writePicture } from "./report/history.ts";

// `./weft bench:picture`: docs/benchmarks.md.

writePicture();
