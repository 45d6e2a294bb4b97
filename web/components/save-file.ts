// Saves a text as a file.

/** `type` is a media type such as text/csv. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A download that has started no longer needs the address.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
