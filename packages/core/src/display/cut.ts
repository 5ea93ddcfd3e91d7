// Cuts a text to a number of UTF-16 units, never inside a character.

export function cutText(text: string, length: number): string {
	const end = text.charCodeAt(length - 1);
	return text.slice(0, text.length > length && end >= 0xd800 && end < 0xdc00 ? length - 1 : length);
}
