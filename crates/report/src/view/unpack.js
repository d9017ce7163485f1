// The data that the page carries: gzip in base64, or plain JSON. Neither is
// read by the HTML parser, so no name in it can become part of the page.

async function unpacked(text) {
  text = text.trim();
  if (!text.startsWith("H4sI")) return JSON.parse(text);
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
