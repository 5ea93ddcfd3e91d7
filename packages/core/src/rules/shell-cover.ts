// Whether an argument pattern covers a shell line (for an allow), or touches any part of it (for a deny or an ask).
import { type ShellLine, type SimpleCommand, simpleCommands } from '../shell/simple-commands.ts';
import { baseName, isWrapper, wrapperWords } from '../shell/wrappers.ts';
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

/** True if the pattern matches the raw line or any part of it, however it is quoted, wrapped or prefixed. */
export function touchesLine(pattern: string, raw: string, line: ShellLine): boolean {
	const { whole } = parseShellPattern(pattern);
	const commands = line.parsed ? line.commands : line.recovered;
	const fragments = line.parsed ? [raw] : [raw, ...raw.split(/[\n;&|()`{}]/)];
	if (fragments.some((fragment) => matchesText(whole, fragment.trim()))) return true;
	return commands.some((command) => partsOf(command, MAX_WRAPPING).some((part) => matchesText(whole, part)));
}

const MAX_WRAPPING = 3;

/** The forms in which a command might be meant. */
function partsOf(command: SimpleCommand, depth: number): string[] {
	const [name = '', ...args] = braceWords(command.words);
	const forms = [command.text, [name, ...args].join(' '), [baseName(name), ...args].join(' ')];
	const written = command.writes.flatMap(({ append, target = '' }) =>
		forms.map((form) => `${form} ${append ? '>>' : '>'} ${target}`),
	);
	return [...forms, ...written, ...(isWrapper(command) && depth > 0 ? wrappedParts(args, depth - 1) : [])];
}

/** A wrapper's options are not known here, so every tail of its arguments may be the command it runs, or be a line itself. */
function wrappedParts(args: readonly string[], depth: number): string[] {
	const tails = args.slice(0, MAX_TAILS).map((_, at) => args.slice(at));
	return tails.flatMap(([name = '', ...rest]) => {
		const nested = simpleCommands(name);
		const commands = nested.parsed ? nested.commands : nested.recovered;
		const plain = [[name, ...rest].join(' '), [baseName(name), ...rest].join(' ')];
		return [...plain, ...(depth > 0 ? commands.flatMap((command) => partsOf(command, depth)) : [])];
	});
}

const MAX_TAILS = 512;

/** `{rm,-rf,x}` runs `rm -rf x`. */
function braceWords(words: readonly string[]): readonly string[] {
	const list = /^\{([^{}]*,[^{}]*)\}$/.exec(words[0] ?? '')?.[1];
	return list === undefined ? words : [...list.split(','), ...words.slice(1)];
}
