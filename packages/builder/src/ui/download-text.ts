/** Has the browser keep a text as a file. */
export function downloadText(name: string, text: string, mediaType: string): void {
  downloadFile(name, new Blob([text], { type: mediaType }));
}

/** Has the browser keep a file. */
export function downloadFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
