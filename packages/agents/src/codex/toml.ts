// Values for `codex -c key=value`, which Codex reads as TOML.

export function tomlString(text: string): string {
	// JSON escapes what TOML must have escaped, all but the delete character.
	return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

export function tomlList(texts: readonly string[]): string {
	return `[${texts.map(tomlString).join(', ')}]`;
}

/** As the arguments of a command line. */
export function toConfigArgs(settings: Readonly<Record<string, string>>): string[] {
	return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** No file of these folders decides what runs, whatever the user once answered in a dialog. */
export function untrust(folders: readonly string[]): string {
	return `{${folders.map((folder) => `${tomlString(folder)}={trust_level="untrusted"}`).join(', ')}}`;
}
