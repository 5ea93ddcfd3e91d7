// Whether an argument pattern covers a shell line (for an allow), or touches anything it may mean (for a deny or an ask).
import type { ShellLine, SimpleCommand } from '../shell/simple-commands.ts';
import { wrapperWords } from '../shell/wrappers.ts';
import type { Meanings } from './line-meanings.ts';
import { normalisePath } from './normalise-path.ts';
import { parseShellPattern, type ShellPattern } from './shell-pattern.ts';
import { matchesText } from './text-glob.ts';

/** True if every simple command of the line is covered; never for a line that could not be parsed. */
export function coversLine(pattern: string, line: ShellLine): boolean {
	if (!line.parsed) return false;
	const parsed = parseShellPattern(pattern);
	return line.commands.length > 0 && line.commands.every((command) => coversCommand(parsed, command));
}

function coversCommand(pattern: ShellPattern, command: SimpleCommand): boolean {
	return (
		command.opaque === undefined &&
		matchesText(pattern.command, command.text) &&
		command.assignments.every((name) => pattern.assignments.has(name)) &&
		wrapperWords(command).every((word) => pattern.literals.has(word)) &&
		command.writes.every((write) => coversWrite(pattern, write.target, write.append))
	);
}

function coversWrite(pattern: ShellPattern, target: string | undefined, append: boolean): boolean {
	if (target === undefined) return false;
	// Appending destroys nothing, so a pattern that lets a file be replaced lets it grow.
	return pattern.writes.some((write) => (append || !write.append) && matchesText(write.target, normalisePath(target)));
}

/** True if the pattern matches anything the line may mean, however it is quoted, wrapped or prefixed. */
export function touchesLine(pattern: string, { texts }: Meanings): boolean {
	const { whole } = parseShellPattern(pattern);
	return texts.some((text) => matchesText(whole, text));
}
