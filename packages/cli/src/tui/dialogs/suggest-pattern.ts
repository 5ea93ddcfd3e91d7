// The argument pattern a rule is offered with: as wide as the command's first words, and no wider where much could be lost.
import { type MainArgument, mainArgument } from '@roost/core/rules/argument';
import { coversLine } from '@roost/core/rules/shell-cover';
import { escapeTextGlob } from '@roost/core/rules/text-glob';
import { type SimpleCommand, simpleCommands } from '@roost/core/shell/simple-commands';
import { isWrapper } from '@roost/core/shell/wrappers';
import type { AskRow } from '@roost/protocol/ask';

/** Nobody reads a longer one. */
const LONGEST = 500;

/** Undefined where a pattern would say no more than the tool. */
export function suggestPattern({ tool, input, risk }: Pick<AskRow, 'tool' | 'input' | 'risk'>): string | undefined {
	const argument = mainArgument(tool, input);
	const pattern = argument.kind === 'shell' ? shellPattern(argument.text, risk === 'high') : otherPattern(argument);
	return pattern.length > LONGEST ? undefined : pattern;
}

function shellPattern(text: string, exactly: boolean): string {
	const line = simpleCommands(text);
	const [command] = line.parsed ? line.commands : line.recovered;
	if (!command) return escapeTextGlob(text);
	const candidates = exactly || isWrapper(command) ? [exact(command)] : [firstWords(command), exact(command)];
	return candidates.find((pattern) => coversLine(pattern, line, text)) ?? candidates[0] ?? exact(command);
}

function exact({ text, writes }: SimpleCommand): string {
	const files = writes.map(({ append, target = '' }) => ` ${append ? '>>' : '>'} ${escapeTextGlob(target)}`);
	return escapeTextGlob(text) + files.join('');
}

/** `npm test *`, `git commit *`, `npm run build *`; a word that is no subcommand is not taken for one. */
function firstWords({ words, assignments }: SimpleCommand): string {
	const [name = '', second = '', third = ''] = words;
	const taken = [name];
	if (SUBCOMMAND.test(second)) taken.push(second);
	if (RUNNERS.has(second) && SUBCOMMAND.test(third)) taken.push(third);
	const set = assignments.map((variable) => `${variable}=* `);
	return `${set.join('')}${escapeTextGlob(taken.join(' '))} *`;
}

const SUBCOMMAND = /^[a-z][a-z0-9:_-]*$/;
/** Words after which the one that matters comes. */
const RUNNERS = new Set(['run', 'exec', 'compose', 'x']);

function otherPattern({ kind, text }: MainArgument): string {
	const end = text.lastIndexOf('/');
	if (kind === 'path' && end > 0) return `${escapeTextGlob(text.slice(0, end))}/*`;
	const origin = /^https?:\/\/[^/?#]+/.exec(text)?.[0];
	return origin === undefined ? escapeTextGlob(text) : `${escapeTextGlob(origin)}/*`;
}
