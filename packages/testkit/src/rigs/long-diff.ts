// A prompt as long as Roost takes, such as people pipe in: a diff with what JSON has to escape and what takes several bytes.

const LENGTH = 1024 * 1024;

export function longDiff(): string {
	const line = '+\tsay("C:\\\\new", `grüße 🐓 日本`);\n';
	const lines = line.repeat(Math.floor(LENGTH / line.length));
	return lines + '.'.repeat(LENGTH - lines.length);
}
