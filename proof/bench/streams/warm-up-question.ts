/** What is asked before anything is measured: code is faster once it was compiled. */
export const warmUpQuestion = "Warm up.";
