import { writePicture } from "./report/draw-history.ts";

// `./weft bench:picture`: docs/benchmarks.md.

writePicture();
