// The length of a text in UTF-8, without an encoder: this package has no types of a browser or of Node.

export function byteLength(text: string): number {
	let bytes = text.length;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		// Each half of a surrogate pair counts for two of its four bytes.
		if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
	}
	return bytes;
}
