// A few lines of a program as a process of its own, with the sources at hand.

export function inlineArgv(lines: string): readonly [string, ...string[]] {
	return [process.execPath, '--conditions=source', '--input-type=module', '-e', lines];
}
