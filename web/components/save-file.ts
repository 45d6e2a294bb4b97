// Gives a text to the browser as a file to keep.

/** `type` is a media type such as text/csv. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on what the address stands for once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
