// A prompt of the maximum length, such as a piped diff: with characters that JSON escapes and characters of several bytes.

const LENGTH = 1024 * 1024;

export function longDiff(): string {
	const line = '+\tsay("C:\\\\new", `grüße 🐓 日本`);\n';
	const lines = line.repeat(Math.floor(LENGTH / line.length));
	return lines + '.'.repeat(LENGTH - lines.length);
}
