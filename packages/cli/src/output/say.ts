// The outcome of a command: lines for a person, or one line of JSON for a program.

export function say(options: { json?: boolean | undefined }, json: object, lines: readonly string[]): void {
	process.stdout.write(options.json ? `${JSON.stringify(json)}\n` : `${lines.join('\n')}\n`);
}
