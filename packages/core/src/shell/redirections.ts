// The redirections of a command: its input, and the files it writes.
import type { Redirect, Redirection, Word } from 'unbash';
import { staticValue } from './words.ts';

/** A file opened for writing; `append` keeps its content. The target is undefined where an expansion decides it. */
export type FileWrite = { append: boolean; target: string | undefined };

export type Redirections = {
	/** Input redirections, as written. */
	reads: string[];
	writes: FileWrite[];
	opaque: string | undefined;
	/** An effect of a redirection besides opening a file. */
	acts: string | undefined;
};

export function toRedirections(redirects: readonly Redirection[]): Redirections {
	const result: Redirections = { reads: [], writes: [], opaque: undefined, acts: undefined };
	for (const redirect of redirects) {
		if (redirect.descriptor?.type === 'FileDescriptorVariable') result.opaque ??= 'a redirection sets a variable';
		if (redirect.type === 'HereDoc') result.reads.push(`${redirect.operator}${redirect.delimiter?.text ?? ''}`);
		else if (redirect.type === 'HereString') result.reads.push(`<<<${redirect.target?.text ?? ''}`);
		else addRedirect(redirect, result);
	}
	return result;
}

/** The text that the last of its here-documents and here-strings gives it; undefined where another redirection may take its place. */
export function fixedInput(redirects: readonly Redirection[]): string | undefined {
	const text = inputText(redirects);
	// A backslash at its end takes the newline behind it, which a shell that reads it sees and the text does not show.
	return text === undefined || /\\\n?$/.test(text) ? undefined : text;
}

function inputText(redirects: readonly Redirection[]): string | undefined {
	const reads = redirects.filter((each) => each.type !== 'Redirect' || isRead(each));
	const last = reads.at(-1);
	if (last === undefined || last.type === 'Redirect' || last.descriptor !== undefined) return undefined;
	if (last.type === 'HereString') return last.target && staticValue(last.target);
	if (last.delimiter?.quoted) return last.operator === '<<-' ? last.body.text.replace(/^\t+/gm, '') : last.body.text;
	return /[$`\\]/.test(last.body.text) || last.operator === '<<-' ? undefined : last.body.text;
}

/** The words that name files which are opened for writing. */
export function writtenWords(redirects: readonly Redirection[]): Word[] {
	const files = redirects.filter((each) => each.type === 'Redirect' && !isHarmless(each) && !isRead(each));
	return files.flatMap((each) => ('target' in each && each.target !== undefined ? [each.target] : []));
}

function addRedirect(redirect: Redirect, result: Redirections): void {
	if (isHarmless(redirect)) return;
	const target = targetOf(redirect);
	if (target !== undefined && NETWORK.test(target)) result.acts ??= 'it opens a network connection';
	// Bash expands such a target once more, also one that was quoted: `>&'$(rm x)'` removes x.
	if (target !== undefined && redirect.operator === '>&' && /[$`]/.test(target))
		result.acts ??= 'the target of a redirection is evaluated';
	result.opaque ??= result.acts;
	if (isRead(redirect)) addRead(redirect, target, result);
	else result.writes.push({ append: redirect.operator.endsWith('>>'), target });
}

function targetOf(redirect: Redirect): string | undefined {
	return redirect.target === undefined ? undefined : staticValue(redirect.target);
}

function isHarmless(redirect: Redirect): boolean {
	const target = targetOf(redirect);
	if (target === undefined) return false;
	return HARMLESS_TARGET.test(target) || (redirect.operator.endsWith('&') && DESCRIPTOR.test(target));
}

function isRead({ operator }: Redirect): boolean {
	return operator === '<' || operator === '<&';
}

function addRead(redirect: Redirect, target: string | undefined, result: Redirections): void {
	const substituted = redirect.target?.parts?.every((part) => part.type === 'ProcessSubstitution') ?? false;
	if (target === undefined && !substituted) result.opaque ??= 'what it reads from is decided by an expansion';
	result.reads.push(`${redirect.operator}${redirect.target?.text ?? ''}`);
}

const HARMLESS_TARGET = /^\/dev\/(?:null|stdin|stdout|stderr)$/;
const DESCRIPTOR = /^(?:\d+-?|-)$/;
const NETWORK = /^\/+dev\/+(?:tcp|udp)\//;
